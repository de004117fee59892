package import ServiceLifecycle

// The declarations of github.com/swift-open-feature/swift-open-feature that a provider meets, as of commit 96840e6. The
// package has no tagged release to depend on, so the bridge is checked against these.

/// What answers an application's questions.
package protocol OpenFeatureProvider: Service {
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
    package var hooks: [any OpenFeatureHook] { [] }
}

/// Sees evaluations; the bridge brings none.
package protocol OpenFeatureHook: Sendable {}

package struct OpenFeatureProviderMetadata: Hashable, Sendable {
    package let name: String

    package init(name: String) { self.name = name }
}
