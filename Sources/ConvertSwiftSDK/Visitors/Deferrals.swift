import ConvertConcurrency

/// The conversions of all visitors that wait for records: how many there may be, and of which records they are.
final class Deferrals: Sendable {
    private struct State {
        var records: [Int: VisitorRecord] = [:]
        var lastPlace = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// The number of conversions that wait.
    var count: Int { state.withLock { $0.records.count } }

    /// Takes a place for a conversion that waits for the record; `nil` if all places are taken.
    func enter(_ record: VisitorRecord) -> Int? {
        state.withLock { state in
            guard state.records.count < limit else { return nil }
            state.lastPlace += 1
            state.records[state.lastPlace] = record
            return state.lastPlace
        }
    }

    /// The conversion was performed, or is not going to be.
    func leave(_ place: Int) { _ = state.withLock { $0.records.removeValue(forKey: place) } }

    /// Waits until the conversions that wait now were performed, until `deadline`.
    ///
    /// Waiting for loads is not enough: a record takes a load's answer only after a commit that is under way.
    func wait(until deadline: Duration, by time: any TimeSource) async {
        for (place, record) in state.withLock({ $0.records.sorted { $0.key < $1.key } }) {
            while let end = record.conversionsEnd(where: { $0.place == place }) {
                guard await end.wait(until: deadline, by: time) else { return }
            }
        }
    }
}
