/// The result of putting a visitor into segments.
package struct SegmentsChange: Sendable {
    /// The effects to perform, in order.
    package let effects: [DecisionEffect]

    /// Why the evaluation ended early, or `nil`. The reference throws on a segment without rules or with malformed
    /// rules, and on stored custom segments that are neither a list nor text.
    package let reason: Decision.Reason?

    package init(effects: [DecisionEffect], reason: Decision.Reason?) {
        self.effects = effects
        self.reason = reason
    }
}
