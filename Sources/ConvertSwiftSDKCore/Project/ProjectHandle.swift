internal import ConvertConcurrency

/// A way to a project whose references few threads count: what decisions hold of it.
@usableFromInline
final class ProjectHandle: Sendable {
    // Usable elsewhere, as the types of all that a visitor, a decision or options hold: what holds a type that another module
    // cannot name is copied and freed there by calls through tables (W1, W2).

    let project: Project
    private let padding = StripePadding.zero

    init(_ project: Project) { self.project = project }
}
