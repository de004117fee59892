/// A result of the engine, with the effects that the caller must perform.
package struct Answer<Value: Sendable>: Sendable {
    package let value: Value

    /// The effects to perform, in order. The visitor's state already contains the changes that the effects store.
    package let effects: [DecisionEffect]

    /// Creates an answer, by default without effects.
    package init(_ value: Value, effects: [DecisionEffect] = []) {
        self.value = value
        self.effects = effects
    }
}
