public import ConvertECMAScript

/// What became of an event.
public struct MobileRulesResult: Sendable {
    /// The event with its data as `add` and `mod` consequences changed it.
    public let event: MobileEvent
    /// Whether the event waits for the first rules; then nothing else has happened to it yet.
    public let isWaiting: Bool
    /// Indexes of the rules that the event matches, ascending.
    public internal(set) var matchedRules: [Int] = []
    /// Indexes of the matching rules whose consequences wait for the interceptor, and are not among ``consequences``.
    public var heldRules: [Int] { held?.indexes ?? [] }
    /// The consequences of the matching rules that ran, in order, their tokens replaced.
    public internal(set) var consequences: [Consequence] = []
    /// Events that `dispatch` consequences made, in order; the app puts them to the engine in turn, or has
    /// ``MobileRulesEngine/processAll(_:)`` do it.
    public internal(set) var dispatched: [MobileEvent] = []
    /// The consequences that handlers got, in order.
    public internal(set) var triggered: [TriggeredConsequence] = []
    /// What `schema` consequences put into the event history, in order.
    public internal(set) var recorded: [JSObject] = []
    /// What was skipped or failed.
    public internal(set) var warnings: [MobileRulesWarning] = []

    /// Records that are finished after the event's turn.
    var waitingRecords: [WaitingRecord] = []
    /// The rules that wait for the interceptor; `nil` if none does.
    var held: HeldRules?
    /// The event as it came in.
    var original: MobileEvent?
    /// Whether what it dispatched is processed after it.
    var includesDispatched = false
    /// Whether one of its messages was handed on, if not now then when it was put to the rules before.
    var hasMessage = false
    /// What is reported to the observer.
    var explanation: RulesExplanation?

    init(event: MobileEvent, isWaiting: Bool = false) {
        self.event = event
        self.isWaiting = isWaiting
    }
}

extension MobileRulesResult: CustomStringConvertible {
    /// The event, the rules that it matches and what followed, a line for each consequence and warning.
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
