/// What came of putting a visitor into segments.
package struct SegmentsChange: Sendable {
    /// What is to be done, in order.
    package let effects: [DecisionEffect]

    /// Why nothing could be decided: a segment has no rules, or malformed ones, where the reference throws.
    package let reason: Decision.Reason?

    package init(effects: [DecisionEffect], reason: Decision.Reason?) {
        self.effects = effects
        self.reason = reason
    }
}
