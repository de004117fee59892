/// The answers of the event history while the conditions of one event are evaluated.
///
/// Each look-up is made once, and a failure is cached like an answer. Answers stay valid, because consequences, which
/// record occurrences, run after all conditions are decided.
struct HistoryLookups {
    private struct Query: Hashable {
        let fingerprint: EventFingerprint
        let from: Int64
        let to: Int64
    }

    let history: any EventHistory
    private var answers: [Query: Result<EventOccurrences, any Error>] = [:]

    init(_ history: any EventHistory) { self.history = history }

    mutating func find(_ fingerprint: EventFingerprint, _ from: Int64, _ to: Int64) throws -> EventOccurrences {
        guard fingerprint != .none, from <= to else { return .none }
        let query = Query(fingerprint: fingerprint, from: from, to: to)
        if let known = answers[query] { return try known.get() }
        let answer = Result { try history.occurrences(of: fingerprint, in: from...to) }
        answers[query] = answer
        return try answer.get()
    }
}
