internal import ConvertConcurrency

/// A way to a project whose references few threads count: what decisions hold of it.
final class ProjectShare: Sendable {
    let project: CompiledProject
    private let padding = StripePadding.zero

    init(_ project: CompiledProject) { self.project = project }
}
