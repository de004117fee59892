/// What the event history answers while the conditions of one event are evaluated.
///
/// The history is asked the same once; a look-up that failed has failed for all. Nothing is recorded meanwhile: that is for
/// consequences, which run when all conditions are decided.
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
