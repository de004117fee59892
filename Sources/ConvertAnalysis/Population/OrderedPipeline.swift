internal import Foundation

/// Works on the parts of a stream on several threads and hands the results on in the order of the parts.
///
/// How far threads may run ahead of the part that is handed on next is bounded, so a slow receiver holds up the source.
final class OrderedPipeline<Part: Sendable, Output: Sendable>: Sendable {
    /// Where the stream comes from: the next part, or `nil` at its end. Called by one thread at a time.
    typealias Source = @Sendable () throws -> Part?
    /// Makes what one thread works by.
    typealias MakeWorker = @Sendable () -> (Part) -> Output
    /// Where results go, in order. Called by one thread at a time.
    typealias Sink = @Sendable (Output) throws -> Void

    private struct State {
        /// Number of parts taken.
        var takenCount = 0
        var isTaking = false
        /// No more parts are taken.
        var isAtEnd = false
        /// Results that wait for their turn, by number.
        var results: [Int: Output] = [:]
        /// Number of results handed on.
        var handedOnCount = 0
        var isHandingOn = false
        var isSinkBroken = false
        var failure: (any Error)?
        var runningCount = 0

        /// The result whose turn it is, which the caller hands on; `nil` if it is not ready or another thread hands it on.
        mutating func takeTurn() -> Output? {
            guard !isHandingOn, !isSinkBroken, let result = results.removeValue(forKey: handedOnCount) else {
                return nil
            }
            isHandingOn = true
            return result
        }
    }

    /// Invariant: `state` is touched only under `condition`'s lock.
    private let condition = NSCondition()
    nonisolated(unsafe) private var state = State()

    private let source: Source
    private let makeWorker: MakeWorker
    private let sink: Sink

    init(from source: @escaping Source, by makeWorker: @escaping MakeWorker, to sink: @escaping Sink) {
        self.source = source
        self.makeWorker = makeWorker
        self.sink = sink
    }

    /// Runs on `threads` threads, of which the calling one is the first and always works, and returns when all results are
    /// handed on.
    ///
    /// - Throws: the first error of source or sink. Results of parts that were taken before an error of the source are
    ///   handed on; after an error of the sink none are.
    func run(threads: Int) throws {
        let threads = max(1, threads)
        let roomAhead = 4 * threads
        withState { $0.runningCount = threads }
        for _ in 1..<threads { Thread.detachNewThread { self.work(roomAhead) } }
        work(roomAhead)
        condition.lock()
        defer { condition.unlock() }
        while state.runningCount > 0 { condition.wait() }
        if let failure = state.failure { throw failure }
    }

    private func work(_ roomAhead: Int) {
        let worker = makeWorker()
        while let (number, part) = take(roomAhead) { finish(number, worker(part)) }
        withState { $0.runningCount -= 1 }
    }

    /// Takes the next part, when there is room for its result.
    private func take(_ roomAhead: Int) -> (number: Int, part: Part)? {
        condition.lock()
        while !state.isAtEnd, state.isTaking || state.takenCount - state.handedOnCount >= roomAhead {
            condition.wait()
        }
        guard !state.isAtEnd else {
            condition.unlock()
            return nil
        }
        state.isTaking = true
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

    /// Hands on the results whose turn it is, if no other thread does.
    private func finish(_ number: Int, _ result: Output) {
        var next = withState { state -> Output? in
            state.results[number] = result
            return state.takeTurn()
        }
        while let result = next {
            var failure: (any Error)?
            do { try sink(result) } catch { failure = error }
            next = withState { state in
                state.handedOnCount += 1
                state.isHandingOn = false
                if let failure {
                    state.failure = state.failure ?? failure
                    state.isAtEnd = true
                    state.isSinkBroken = true
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
        return body(&state)
    }
}
