/// A way to a project whose references few threads count: what decisions hold of it.
final class ProjectShare: Sendable {
    let project: CompiledProject
    private let padding = StripePadding.zero

    init(_ project: CompiledProject) { self.project = project }
}

/// The shares of a project, one for each ``ThreadStripe``.
final class ProjectShares: Sendable {
    private let shares: [ProjectShare]

    init(_ project: CompiledProject) { shares = (0..<ThreadStripe.count).map { _ in ProjectShare(project) } }

    /// The calling thread's share.
    var current: ProjectShare { shares.withUnsafeBufferPointer { $0[ThreadStripe.current] } }
}
