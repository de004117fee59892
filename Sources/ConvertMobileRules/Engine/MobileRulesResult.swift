public import ConvertECMAScript

/// The result of processing an event.
public struct MobileRulesResult: Sendable {
    /// The event, with its data as changed by `add` and `mod` consequences.
    public let event: MobileEvent
    /// Whether the event waits for the first rules. If so, it has not been evaluated yet.
    public let isWaiting: Bool
    /// Indexes of the matching rules, ascending.
    public internal(set) var matchedRules: [Int] = []
    /// Indexes of the matching rules whose consequences wait for the interceptor. ``consequences`` does not contain
    /// them.
    public var heldRules: [Int] { held?.indexes ?? [] }
    /// The consequences of the matching rules that ran, in order, with their tokens replaced.
    public internal(set) var consequences: [Consequence] = []
    /// Events created by `dispatch` consequences, in order. The app passes them to the engine, unless
    /// ``MobileRulesEngine/processAll(_:)`` does.
    public internal(set) var dispatched: [MobileEvent] = []
    /// The consequences that were passed to handlers, in order.
    public internal(set) var triggered: [TriggeredConsequence] = []
    /// The events that `schema` consequences recorded in the event history, in order.
    public internal(set) var recorded: [JSObject] = []
    /// Warnings about skipped or failed parts.
    public internal(set) var warnings: [MobileRulesWarning] = []

    /// Records that are finished after the event's turn.
    var waitingRecords: [WaitingRecord] = []
    /// The rules that wait for the interceptor; `nil` if no rule waits.
    var held: HeldRules?
    /// The event as it arrived.
    var original: MobileEvent?
    /// Whether dispatched events will be processed afterwards.
    var includesDispatched = false
    /// Whether a message of the event was passed to a handler, in this pass or an earlier pass.
    var hasMessage = false
    /// The explanation for the observer.
    var explanation: RulesExplanation?

    init(event: MobileEvent, isWaiting: Bool = false) {
        self.event = event
        self.isWaiting = isWaiting
    }
}

extension MobileRulesResult: CustomStringConvertible {
    /// The event, its matching rules, and one line for each consequence and warning.
    public var description: String {
        let rules = matchedRules.map(String.init).joined(separator: ", ")
        let outcome =
            isWaiting ? "waits for the first rules" : matchedRules.isEmpty ? "no rule matches" : "matches \(rules)"
        return
            (["\(event.type), \(event.source): \(outcome)"] + consequences.map { "  \($0)" }
            + dispatched.map { "  dispatched \($0.type), \($0.source)" } + warnings.map { "  warning: \($0)" })
            .joined(separator: "\n")
    }
}
