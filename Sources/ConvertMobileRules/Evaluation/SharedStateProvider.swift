public import ConvertECMAScript

/// Where the rules engine reads the shared states of other modules.
///
/// Asked at most once per state and event. Must answer quickly, from any thread, and must not call the engine.
public protocol SharedStateProvider: Sendable {
    /// The data that the module called `name` shares now, or `nil` if it shares none.
    func sharedState(named name: String) -> JSObject?
}
