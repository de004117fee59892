public import ConvertECMAScript

/// Shared states that never change.
public struct FixedSharedStates: SharedStateProvider {
    private let states: [PropertyKey: JSObject]

    /// Creates states from their data, by name.
    public init(_ states: [String: JSObject] = [:]) {
        self.states = Dictionary(states.map { (PropertyKey($0.key), $0.value) }, uniquingKeysWith: { _, last in last })
    }

    /// Creates states from their data, by names that are distinguished by code units.
    package init(byKey states: [PropertyKey: JSObject]) { self.states = states }

    /// Returns the state `name`, or `nil` if it is missing.
    public func sharedState(named name: String) -> JSObject? { states[PropertyKey(name)] }
}
