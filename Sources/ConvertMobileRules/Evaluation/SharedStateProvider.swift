public import ConvertECMAScript

/// Provides the shared states of other modules to the rules engine.
///
/// The engine calls the provider at most once per state and event, on any thread. The provider must return quickly and
/// must not call the engine.
public protocol SharedStateProvider: Sendable {
    /// Returns the data that the module `name` shares now, or `nil` if it shares no data.
    func sharedState(named name: String) -> JSObject?
}
