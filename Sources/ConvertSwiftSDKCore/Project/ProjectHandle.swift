internal import ConvertConcurrency

/// A way to a project whose references few threads count: what decisions hold of it.
final class ProjectHandle: Sendable {
    let project: Project
    private let padding = StripePadding.zero

    init(_ project: Project) { self.project = project }
}
