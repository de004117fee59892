internal import Foundation

/// Processes the parts of a stream on several threads, and adds up the results in the order of the parts.
///
/// Each thread takes the next part from the source, processes it, and keeps the result until all earlier ones are
/// added. At most four parts for each thread are in progress, so the memory used does not grow with the stream.
final class StreamFold<Part: Sendable, Output: Sendable, Sum: Sendable>: Sendable {
    /// Returns the next part, or `nil` at the end of the stream. It is called by one thread at a time.
    typealias Source = @Sendable () throws -> Part?
    /// Creates the function that turns parts into results. It is called once by each thread, so the function may keep
    /// its own state.
    typealias MakeWorker = @Sendable () -> (Part) -> Output
    /// Adds the next result to the sum. It is called by one thread at a time, in the order of the parts.
    typealias Add = @Sendable (inout Sum, Output) throws -> Void

    private struct State {
        /// The number of parts taken.
        var takenCount = 0
        var isTaking = false
        /// Whether no more parts are taken.
        var isAtEnd = false
        /// The results that wait for their turn, by number.
        var results: [Int: Output] = [:]
        /// The number of results added.
        var addedCount = 0
        var isAdding = false
        /// Whether no more results are added.
        var isBroken = false
        var failure: (any Error)?
        var runningCount = 0

        /// The next result in order, which the caller must add; `nil` if it is not ready, or if another thread is
        /// adding results.
        mutating func takeTurn() -> Output? {
            guard !isAdding, !isBroken, let result = results.removeValue(forKey: addedCount) else {
                return nil
            }
            isAdding = true
            return result
        }
    }

    /// Invariant: `state` is accessed only under the lock of `condition`.
    private let condition = NSCondition()
    nonisolated(unsafe) private var state = State()
    /// Invariant: `sum` is accessed only by the thread that set `isAdding`, and after all threads have ended.
    nonisolated(unsafe) private var sum: Sum

    private let source: Source
    private let makeWorker: MakeWorker
    private let add: Add

    init(
        into sum: Sum, from source: @escaping Source, by makeWorker: @escaping MakeWorker, adding add: @escaping Add
    ) {
        unsafe self.sum = sum
        self.source = source
        self.makeWorker = makeWorker
        self.add = add
    }

    /// Reads the whole stream. It can be called once.
    ///
    /// - Parameter threads: the number of threads. A single one is the calling thread; several are new ones.
    /// - Returns: the sum of all results.
    /// - Throws: the first error of the source or of an addition. After an error of the source, the parts taken before
    ///   are still added. After an error of an addition no more results are added, and `run` does not wait for a source
    ///   that is waiting for input.
    func run(threads: Int) throws -> Sum {
        let threads = max(1, threads)
        let roomAhead = 4 * threads
        withState { $0.runningCount = threads }
        if threads == 1 {
            work(roomAhead)
        } else {
            // The calling thread processes no parts, because it must return without waiting for input once the output
            // has failed.
            for _ in 0..<threads { Thread.detachNewThread { self.work(roomAhead) } }
        }
        condition.lock()
        defer { condition.unlock() }
        while unsafe state.runningCount > (state.isBroken && state.isTaking ? 1 : 0) { condition.wait() }
        if let failure = unsafe state.failure { throw failure }
        return unsafe sum
    }

    private func work(_ roomAhead: Int) {
        let worker = makeWorker()
        while let (number, part) = take(roomAhead) { finish(number, worker(part)) }
        withState { $0.runningCount -= 1 }
    }

    /// Takes the next part, once there is room for its result; `nil` at the end.
    private func take(_ roomAhead: Int) -> (number: Int, part: Part)? {
        condition.lock()
        while unsafe !state.isAtEnd, unsafe state.isTaking || state.takenCount - state.addedCount >= roomAhead {
            condition.wait()
        }
        guard unsafe !state.isAtEnd else {
            condition.unlock()
            return nil
        }
        unsafe state.isTaking = true
        condition.unlock()
        var part: Part?
        var failure: (any Error)?
        do { part = try source() } catch { failure = error }
        return withState { state in
            state.isTaking = false
            if state.failure == nil { state.failure = failure }
            guard let part, !state.isAtEnd else {
                state.isAtEnd = true
                return nil
            }
            state.takenCount += 1
            return (state.takenCount - 1, part)
        }
    }

    /// Adds the results whose turn it is, unless another thread is adding results.
    private func finish(_ number: Int, _ result: Output) {
        var next = withState { state -> Output? in
            state.results[number] = result
            return state.takeTurn()
        }
        while let result = next {
            var failure: (any Error)?
            do { try unsafe add(&sum, result) } catch { failure = error }
            next = withState { state in
                state.addedCount += 1
                state.isAdding = false
                if let failure {
                    state.failure = state.failure ?? failure
                    state.isAtEnd = true
                    state.isBroken = true
                }
                return state.takeTurn()
            }
        }
    }

    /// Changes the state and wakes the waiting threads.
    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return unsafe body(&state)
    }
}
