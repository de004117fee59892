#if Postgres
import ConvertConcurrency

/// Gathers items that come while earlier ones are being worked on, so that they share a round trip and a transaction.
///
/// The first one never waits for others.
final class Batches<Item: Sendable, Answer: Sendable>: Sendable {
    private struct Waiting {
        let item: Item
        let continuation: CheckedContinuation<Answer, any Error>
    }

    private struct State {
        var waiting = FIFOQueue<Waiting>()
        var workers = 0
    }

    private let limit: Int
    private let workerLimit: Int
    private let work: @Sendable ([Item]) async throws -> [Answer]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the most items in one batch.
    ///   - workerLimit: how many batches are under way at once.
    ///   - work: returns an answer for each item.
    init(limit: Int, workerLimit: Int, work: @escaping @Sendable ([Item]) async throws -> [Answer]) {
        self.limit = limit
        self.workerLimit = workerLimit
        self.work = work
    }

    /// The answer for `item`.
    func answer(_ item: Item) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            let isWorkerNeeded = state.withLock { state in
                state.waiting.append(Waiting(item: item, continuation: continuation))
                guard state.workers < workerLimit else { return false }
                state.workers += 1
                return true
            }
            if isWorkerNeeded { Task { await self.run() } }
        }
    }

    private func run() async {
        while let batch = next() {
            do {
                let answers = try await work(batch.map(\.item))
                guard answers.count == batch.count else { throw CancellationError() }
                for (waiting, answer) in zip(batch, answers) { waiting.continuation.resume(returning: answer) }
            } catch {
                for waiting in batch { waiting.continuation.resume(throwing: error) }
            }
        }
    }

    private func next() -> [Waiting]? {
        state.withLock { state in
            var batch: [Waiting] = []
            while batch.count < limit, let waiting = state.waiting.popFirst() { batch.append(waiting) }
            if batch.isEmpty { state.workers -= 1 }
            return batch.isEmpty ? nil : batch
        }
    }
}
#endif
