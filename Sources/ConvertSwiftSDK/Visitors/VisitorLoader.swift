import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore

/// Reads visitors' records from the ledger.
///
/// A decision for a new visitor does not wait for a load, and wakes no thread for it.
final class VisitorLoader: Sendable {
    private struct Load {
        let number: Int
        let record: VisitorRecord
        /// The call of the ledger; `nil` before it has begun.
        var call: Task<Void, Never>?
    }

    /// Ends the loads that the SDK's shutdown gives up. They are not logged.
    private struct ShutdownError: Error {}

    private struct State {
        /// Loads that have not ended, by number.
        var loads: [Int: Load] = [:]
        var lastNumber = 0
        /// The number of calls that have not returned, including calls that were given up.
        var callCount = 0
    }

    private let ledger: any Ledger
    private let limit: Int
    private let time: any TimeSource
    private let log: Diagnostics
    private let beginnings: Rounds<Load>
    private let state = Mutex(State())
    private let hasEnded = Atomic(false)

    /// Whether the ledger is no longer called.
    private var isEnded: Bool { hasEnded.load(ordering: .relaxed) }

    /// - Parameter limit: the maximum number of running calls.
    init(_ ledger: any Ledger, limit: Int, time: any TimeSource, log: Diagnostics) {
        self.ledger = ledger
        self.limit = max(1, limit)
        self.time = time
        self.log = log
        beginnings = Rounds(every: .milliseconds(4), by: time)
    }

    /// Starts loading `record` from the ledger, unless it is being loaded. A known record is loaded again only if other
    /// processes may change it.
    func load(_ record: VisitorRecord) {
        let isShared = ledger.isShared && !PlantedFault.isPlanted("shared-record-not-read-again")
        guard !isEnded, record.beginLoad(isShared: isShared) else { return }
        let load = state.withLock { state -> Load? in
            guard state.callCount < limit else { return nil }
            state.callCount += 1
            state.lastNumber += 1
            let load = Load(number: state.lastNumber, record: record)
            state.loads[load.number] = load
            return load
        }
        if let load { return beginnings.add(load) { [weak self] in self?.begin($0) } }
        log.once(.loadLimit, "\(limit) visitors' records are being loaded; further visitors count as new meanwhile.")
        // In a task: the caller may hold the lock of a context that a conversion waits for.
        Task { record.endLoad(.failure(CancellationError())) }
    }

    /// Starts no further loads, and gives up the running ones: their visitors count as new.
    func end() async {
        hasEnded.store(true, ordering: .relaxed)
        await endLoads(until: time.now)
    }

    /// Starts the loads of one round. They share one timer.
    private func begin(_ round: [Load]) {
        let deadline = time.now + LedgerWriter.callTimeout
        for load in round {
            let isWanted = state.withLock { state in
                guard state.loads[load.number] != nil else { return false }
                state.loads[load.number]?.call = Task { await self.read(load) }
                return true
            }
            if !isWanted { endCall() }
        }
        Task { await giveUp(round, at: deadline, DeadlineError()) }
    }

    private func read(_ load: Load) async {
        let answer: Result<VisitorState?, any Error>
        do {
            if isEnded { throw ShutdownError() }
            answer = .success(try await ledger.visitor(load.record.key.name))
        } catch {
            answer = .failure(error)
        }
        endCall()
        end(load, with: answer)
    }

    /// Ends a load, unless it has ended. Loads are identified by number: the record may be loading again, and an answer
    /// after its load was given up may be older than the changes that were stored since.
    private func end(_ load: Load, with answer: Result<VisitorState?, any Error>) {
        guard state.withLock({ $0.loads.removeValue(forKey: load.number) }) != nil else { return }
        switch answer {
        case .success: log.clear(.load)
        case .failure(is ShutdownError): break
        case .failure(let error):
            log.once(
                .load,
                "visitors' records cannot be read from the ledger (\(error.forLog)); their visitors count as new.")
        }
        load.record.endLoad(answer)
    }

    private func endCall() {
        let count = state.withLock { state in
            state.callCount -= 1
            return state.callCount
        }
        if count <= limit / 2 { log.clear(.loadLimit) }
    }

    /// The running loads, the oldest first.
    private var loadsInOrder: [Load] { state.withLock { $0.loads.values.sorted { $0.number < $1.number } } }

    /// Waits for the running loads, until `deadline`.
    func waitForLoads(until deadline: Duration) async {
        for load in loadsInOrder { _ = await load.record.loadEnd?.wait(until: deadline, by: time) }
    }

    /// Waits for the running loads until `deadline`, and gives up the others: they count as failed.
    func endLoads(until deadline: Duration) async { await giveUp(loadsInOrder, at: deadline, ShutdownError()) }

    /// Gives up loads that have not ended at `deadline`. Cancels their calls without waiting for them.
    private func giveUp(_ loads: [Load], at deadline: Duration, _ error: any Error) async {
        for load in loads {
            guard let end = load.record.loadEnd else { continue }
            if time.now < deadline, await end.wait(until: deadline, by: time) { continue }
            let call = state.withLock { $0.loads[load.number]?.call }
            self.end(load, with: .failure(error))
            call?.cancel()
        }
    }
}
