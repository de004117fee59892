/// The result of putting a visitor into segments.
package struct SegmentsChange: Sendable {
    /// The effects to perform, in order.
    package let effects: [DecisionEffect]

    /// Why no decision was made: a segment has no rules or malformed ones, on which the reference throws.
    package let reason: Decision.Reason?

    package init(effects: [DecisionEffect], reason: Decision.Reason?) {
        self.effects = effects
        self.reason = reason
    }
}
