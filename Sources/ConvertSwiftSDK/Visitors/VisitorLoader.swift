import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore

/// Reads visitors' records from the ledger.
///
/// A decision for a new visitor waits for no load, and does not wake the thread that begins it.
final class VisitorLoader: Sendable {
    private struct State {
        /// Loads that are not over, with the call of the ledger, once it has begun.
        var loads: [ObjectIdentifier: (record: VisitorRecord, number: Int, call: Int?)] = [:]
        var lastNumber = 0
        /// Calls that have not returned. One that was given up counts until then.
        var callCount = 0
    }

    private let ledger: any Ledger
    private let limit: Int
    private let time: any TimeSource
    private let log: Diagnostics
    private let calls: TimedCalls
    private let beginnings: Rounds<VisitorRecord>
    private let state = Mutex(State())
    private let hasEnded = Atomic(false)

    /// Whether the ledger is not asked any more.
    var isEnded: Bool { hasEnded.load(ordering: .relaxed) }

    /// Whether records are read again for each context.
    var isShared: Bool { ledger.isShared }

    /// How long one read may take.
    static let timeout = Duration.seconds(10)

    /// - Parameter limit: how many loads may be under way.
    init(_ ledger: any Ledger, limit: Int, time: any TimeSource, log: Diagnostics) {
        self.ledger = ledger
        self.limit = max(1, limit)
        self.time = time
        self.log = log
        calls = TimedCalls(within: Self.timeout, by: time)
        beginnings = Rounds(every: .milliseconds(4), by: time)
    }

    /// Reads what the ledger has of `record`, whose load has begun, and ends that.
    func load(_ record: VisitorRecord) {
        let failure = state.withLock { state -> LoadFailure? in
            guard state.callCount < limit else { return .tooMany }
            state.callCount += 1
            state.lastNumber += 1
            state.loads[ObjectIdentifier(record)] = (record, state.lastNumber, nil)
            return nil
        }
        guard let failure else {
            return beginnings.add(record) { [weak self] in $0.forEach { self?.begin($0) } }
        }
        if failure == .tooMany {
            log.once(
                .loadLimit, "\(limit) visitors' records are being loaded; further visitors count as new meanwhile.")
        }
        // The caller may hold the lock of a context that a conversion waits for.
        Task { record.endLoad(.failure(failure)) }
    }

    /// Begins no load any more, and gives up those that are under way.
    func end() async {
        hasEnded.store(true, ordering: .relaxed)
        await endLoads(until: time.now)
    }

    private enum LoadFailure: Error { case tooMany, givenUp }

    private func begin(_ record: VisitorRecord) {
        let call = state.withLock { state -> Int? in
            guard state.loads[ObjectIdentifier(record)] != nil else { return nil }
            let call = calls.reserveID()
            state.loads[ObjectIdentifier(record)]?.call = call
            return call
        }
        guard let call else { return endCall() }
        let hasBegun = calls.begin(as: call) { [self] in
            defer { endCall() }
            if isEnded { throw LoadFailure.givenUp }
            return try await ledger.visitor(record.key.name)
        } whenOver: { [self] in
            end(record, with: $0)
        }
        if !hasBegun { endCall() }
    }

    private func end(_ record: VisitorRecord, with result: Result<VisitorState?, any Error>) {
        guard state.withLock({ $0.loads.removeValue(forKey: ObjectIdentifier(record)) }) != nil else { return }
        switch result {
        case .success: log.clear(.load)
        case .failure(let error):
            log.once(
                .load,
                "visitors' records cannot be read from the ledger (\(error.forLog)); their visitors count as new.")
        }
        record.endLoad(result)
    }

    private func endCall() {
        let count = state.withLock { state in
            state.callCount -= 1
            return state.callCount
        }
        if count <= limit / 2 { log.clear(.loadLimit) }
    }

    /// The records that are being loaded, the oldest load first.
    private var recordsInOrder: [VisitorRecord] {
        state.withLock { $0.loads.values.sorted { $0.number < $1.number }.map(\.record) }
    }

    /// Waits for the loads that are under way, until `deadline`.
    func waitForLoads(until deadline: Duration) async {
        for record in recordsInOrder {
            _ = await record.loadEnd?.wait(until: deadline, by: time)
        }
    }

    /// Waits for the loads that are under way, until `deadline`, and gives up those that are not over then.
    func endLoads(until deadline: Duration) async {
        for record in recordsInOrder {
            guard let end = record.loadEnd, await !end.wait(until: deadline, by: time) else { continue }
            if let call = state.withLock({ $0.loads[ObjectIdentifier(record)]?.call }) {
                calls.cancel(call)
            } else {
                self.end(record, with: .failure(LoadFailure.givenUp))
            }
        }
    }
}
