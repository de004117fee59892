public import ConvertECMAScript

/// Shared states that never change.
public struct FixedSharedStates: SharedStateProvider {
    private let states: [PropertyKey: JSObject]

    /// States by name.
    public init(_ states: [String: JSObject] = [:]) {
        self.states = Dictionary(states.map { (PropertyKey($0.key), $0.value) }, uniquingKeysWith: { _, last in last })
    }

    /// States by name, whose code units tell names apart.
    package init(byKey states: [PropertyKey: JSObject]) { self.states = states }

    /// The state called `name`.
    public func sharedState(named name: String) -> JSObject? { states[PropertyKey(name)] }
}
