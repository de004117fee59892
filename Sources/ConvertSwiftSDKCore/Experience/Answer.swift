/// What the engine answers, and what is to be done about it.
package struct Answer<Value: Sendable>: Sendable {
    /// The answer.
    package let value: Value

    /// What is to be done, in order. The visitor's state has the stored changes already.
    package let effects: [DecisionEffect]

    /// An answer of which nothing follows unless `effects` say so.
    package init(_ value: Value, effects: [DecisionEffect] = []) {
        self.value = value
        self.effects = effects
    }
}
