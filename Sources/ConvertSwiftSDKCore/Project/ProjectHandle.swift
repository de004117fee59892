internal import ConvertConcurrency

/// A way to a project whose references few threads count: what decisions hold of it.
@usableFromInline
final class ProjectHandle: Sendable {
    // Usable elsewhere, as the types of all that a visitor, a decision or options hold: what holds a type that another module
    // cannot name is copied and freed there by calls through tables (W1, W2).

    let project: Project
    /// The bucket value of a variation that was made for a test, which no hash tells.
    let madeBucketValue: Int?
    private let padding = StripePadding.zero

    init(_ project: Project, madeBucketValue: Int? = nil) {
        self.project = project
        self.madeBucketValue = madeBucketValue
    }
}
