public import ServiceLifecycle

// The declarations of github.com/swift-open-feature/swift-open-feature that a provider meets, as of commit 96840e6. The
// package has no tagged release to depend on, so the bridge is checked against these.

/// What answers an application's questions.
public protocol OpenFeatureProvider: Service {
    var metadata: OpenFeatureProviderMetadata { get }
    var hooks: [any OpenFeatureHook] { get }

    func resolution(
        of flag: String, defaultValue: Bool, context: OpenFeatureEvaluationContext?
    ) async -> OpenFeatureResolution<Bool>
    func resolution(
        of flag: String, defaultValue: String, context: OpenFeatureEvaluationContext?
    ) async -> OpenFeatureResolution<String>
    func resolution(
        of flag: String, defaultValue: Int, context: OpenFeatureEvaluationContext?
    ) async -> OpenFeatureResolution<Int>
    func resolution(
        of flag: String, defaultValue: Double, context: OpenFeatureEvaluationContext?
    ) async -> OpenFeatureResolution<Double>

    func run() async throws
}

extension OpenFeatureProvider {
    /// No hooks.
    public var hooks: [any OpenFeatureHook] { [] }
}

/// Sees evaluations; the bridge brings none.
public protocol OpenFeatureHook: Sendable {}

/// Describes a provider.
public struct OpenFeatureProviderMetadata: Hashable, Sendable {
    /// The provider's name.
    public let name: String

    /// Creates a value from its parts.
    public init(name: String) { self.name = name }
}
