internal import Foundation

/// Works on the parts of a stream on several threads and adds up the results in the order of the parts.
///
/// Each thread takes the next part from the source, works on it, and keeps the result until all earlier ones are added.
/// At most four parts a thread are taken and not added yet, so that memory does not grow with the stream.
final class StreamFold<Part: Sendable, Output: Sendable, Sum: Sendable>: Sendable {
    /// Returns the next part, or `nil` at the end of the stream. Called by one thread at a time.
    typealias Source = @Sendable () throws -> Part?
    /// Makes the function that turns parts into results. Called once by each thread, so that the function may keep a
    /// state of its own.
    typealias MakeWorker = @Sendable () -> (Part) -> Output
    /// Adds the next result to the sum. Called by one thread at a time, in the order of the parts.
    typealias Add = @Sendable (inout Sum, Output) throws -> Void

    private struct State {
        /// Number of parts taken.
        var takenCount = 0
        var isTaking = false
        /// No more parts are taken.
        var isAtEnd = false
        /// Results that wait for their turn, by number.
        var results: [Int: Output] = [:]
        /// Number of results added.
        var addedCount = 0
        var isAdding = false
        /// No more results are added.
        var isBroken = false
        var failure: (any Error)?
        var runningCount = 0

        /// The result whose turn it is, which the caller adds; `nil` if it is not ready or another thread adds it.
        mutating func takeTurn() -> Output? {
            guard !isAdding, !isBroken, let result = results.removeValue(forKey: addedCount) else {
                return nil
            }
            isAdding = true
            return result
        }
    }

    /// Invariant: `state` is touched only under `condition`'s lock.
    private let condition = NSCondition()
    nonisolated(unsafe) private var state = State()
    /// Invariant: `sum` is touched only by the thread that set `isAdding`, and when all threads have ended.
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
    /// - Parameter threads: the number of threads that work. A single one is the calling thread; several are new ones.
    /// - Returns: the sum of all results.
    /// - Throws: the first error of the source or of an addition. After an error of the source, the parts that were
    ///   taken before are still added. After an error of an addition nothing more is added, and `run` does not wait for
    ///   a source that is waiting for input.
    func run(threads: Int) throws -> Sum {
        let threads = max(1, threads)
        let roomAhead = 4 * threads
        withState { $0.runningCount = threads }
        if threads == 1 {
            work(roomAhead)
        } else {
            // The calling thread takes no part, because it must return without more input once the output has failed.
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

    /// Takes the next part, when there is room for its result.
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

    /// Adds the results whose turn it is, if no other thread does.
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

    /// Changes the state; those that wait look at it again.
    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return unsafe body(&state)
    }
}
