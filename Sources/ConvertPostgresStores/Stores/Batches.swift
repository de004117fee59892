#if Postgres
import ConvertConcurrency
import ConvertStoreSupport

/// Gathers items that come while earlier ones are being worked on, so that they share a round trip and a transaction.
///
/// The first one never waits for others. Further batches begin beside one that is under way where many items wait, or where
/// it takes long: many small ones at once would be slower than a few large ones. Work and answers stay on the connection's
/// thread: each change of threads costs as much as a look-up in the database.
final class Batches<Item: Sendable, Answer: Sendable>: Sendable {
    private struct Waiting {
        let item: Item
        let continuation: CheckedContinuation<Answer, any Error>
    }

    private struct State {
        var waiting = FIFOQueue<Waiting>()
        var workers = 0
        /// When a batch began last.
        var latestStart = ContinuousClock.now

        /// Whether one that waits is to get a batch of its own, beside those under way.
        func needsWorker(_ mostWorkers: Int) -> Bool {
            if workers == 0 { return true }
            return workers < mostWorkers
                && (waiting.count >= Batches.crowd * workers
                    || ContinuousClock.now - latestStart > Batches.longestGathering)
        }
    }

    /// How many items wait for each batch under way before another one begins.
    private static var crowd: Int { 4 }
    /// How long items wait at most for a batch under way before another one begins with the next that comes.
    private static var longestGathering: Duration { .milliseconds(2) }

    /// How many items wait at most; more are refused.
    private static var mostWaiting: Int { 20_000 }

    private let limit: Int
    private let pool: Pool
    private let isWrite: Bool
    private let work: @Sendable ([Item], Connection) throws -> [Answer]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the most items in one batch.
    ///   - pool: the connections. As many batches are under way at once.
    ///   - work: returns an answer for each item. It may run twice, as what ``Pool/perform(isWrite:_:)`` takes.
    init(
        limit: Int, pool: Pool, isWrite: Bool = false, work: @escaping @Sendable ([Item], Connection) throws -> [Answer]
    ) {
        self.limit = limit
        self.pool = pool
        self.isWrite = isWrite
        self.work = work
    }

    /// The answer for `item`.
    /// - Throws: what the work throws; `StorageError`, `busy`, if too many wait.
    func answer(_ item: Item) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            let isWorkerNeeded = state.withLock { state -> Bool? in
                guard state.waiting.count < Self.mostWaiting else { return nil }
                state.waiting.append(Waiting(item: item, continuation: continuation))
                guard state.needsWorker(pool.options.size) else { return false }
                state.workers += 1
                state.latestStart = .now
                return true
            }
            switch isWorkerNeeded {
            case true?: startWorker()
            case false?: break
            case nil: continuation.resume(throwing: StorageError(.busy, path: pool.address.name))
            }
        }
    }

    private func startWorker() {
        let current = Mutex<[Waiting]>([])
        pool.submitRepeated(isWrite: isWrite) { connection in
            // If it runs again, it has a batch.
            let batch = current.withLock { batch in
                if batch.isEmpty { batch = self.next() }
                return batch
            }
            return batch.isEmpty ? [] : try self.work(batch.map(\.item), connection)
        } completion: { result in
            var batch = current.withLock { batch in
                defer { batch = [] }
                return batch
            }
            // Without a connection nothing was begun.
            if batch.isEmpty, case .failure = result { batch = self.next() }
            Self.settle(batch, result)
            return self.state.withLock { state in
                if state.waiting.isEmpty { state.workers -= 1 }
                return !state.waiting.isEmpty
            }
        }
    }

    private func next() -> [Waiting] {
        state.withLock { state in
            var batch: [Waiting] = []
            state.latestStart = .now
            while batch.count < limit, let waiting = state.waiting.popFirst() { batch.append(waiting) }
            return batch
        }
    }

    private static func settle(_ batch: [Waiting], _ result: Result<[Answer], any Error>) {
        do {
            let answers = try result.get()
            // There is one for each, or else some callers would wait for ever.
            guard answers.count == batch.count else { throw StorageError(.other, path: "") }
            for (waiting, answer) in zip(batch, answers) { waiting.continuation.resume(returning: answer) }
        } catch {
            for waiting in batch { waiting.continuation.resume(throwing: error) }
        }
    }
}
#endif
