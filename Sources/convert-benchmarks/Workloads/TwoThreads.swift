import Foundation
import ConvertConcurrency

/// Measures how much faster two threads are than one. It counts only slices of time in which both threads ran.
enum TwoThreads {
    /// - Parameters:
    ///   - goal: the desired speed as a multiple of one thread's; `nil` if there is no goal.
    ///   - prepare: returns the work, a closure with the number of the thread as its argument. Each call of the closure
    ///     is a slice of some milliseconds.
    static func workload(
        id: String, of single: String, operations: Int, goal: Double? = 1.95, expected: String,
        prepare: @escaping @Sendable (Inputs) throws -> @Sendable (Int) -> String
    ) -> Workload {
        Workload(
            id: id, summary: "\(single) on two threads, how much faster than on one", unit: .times, goal: goal,
            expected: expected,
            runner: .custom(repetitions: 15) { inputs in
                let run = try prepare(inputs)
                return { try measure(run, operations: operations) }
            })
    }

    /// The nanoseconds that one thread and two threads run at least, so that there are many slices to compare.
    private static let leastTime = 200_000_000.0

    /// The number of times that one thread and two threads take turns, so that a slow phase of the machine affects
    /// both.
    private static let turns = 4

    private static func measure(_ run: @escaping @Sendable (Int) -> String, operations: Int) throws -> Sample {
        let start = ClockReading.now()
        let first = Slice.measure { _ = run(0) }
        let rounds = max(2, Int(leastTime / max(1, first.duration)) / turns)
        var single: [Slice] = []
        let results = Mutex([(slices: [Slice], checks: Set<String>)](repeating: ([], []), count: 2))
        for _ in 0..<turns {
            single += (0..<rounds).map { _ in Slice.measure { _ = run(0) } }.filter(\.ranThroughout)
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                var checks: Set<String> = []
                let slices = (0..<rounds).map { _ in Slice.measure { checks.insert(run(thread)) } }
                results.withLock { results in
                    results[thread].slices += slices
                    results[thread].checks.formUnion(checks)
                }
            }
        }
        let threads = results.withLock { $0 }
        let parallel = threads.indices.flatMap { index in
            let others = threads.indices.filter { $0 != index }.flatMap { threads[$0].slices }
            return threads[index].slices.filter { $0.ranThroughout && $0.isCovered(by: others) }
        }
        guard !single.isEmpty, !parallel.isEmpty else {
            throw BenchmarkFailure(description: "two threads never ran at once; measure where two processors are idle")
        }
        let alone = Slice.meanDuration(single) / Double(operations)
        let together = Slice.meanDuration(parallel) / Double(operations) / 2
        let whole = ClockReading.now().sample(since: start, operations: 1, check: "")
        return Sample(
            value: alone / together, others: whole.others, operations: operations * (single.count + parallel.count),
            check: threads.reduce(into: Set()) { $0.formUnion($1.checks) }.sorted().joined(separator: " / "),
            details: [
                "one thread, ns": alone, "two threads, ns": together, "slices": Double(turns * rounds * 2),
                "slices in which both ran": Double(parallel.count),
            ])
    }

    /// One call of the work on one thread.
    private struct Slice {
        /// A thread with a smaller share of processor time was preempted.
        private static let leastShare = 0.98

        let start: Double
        let end: Double
        let processorTime: Double

        static func measure(_ run: () -> Void) -> Slice {
            let processorStart = ClockReading.threadTime
            let start = ClockReading.read(CLOCK_MONOTONIC)
            run()
            let end = ClockReading.read(CLOCK_MONOTONIC)
            return Slice(start: start, end: end, processorTime: ClockReading.threadTime - processorStart)
        }

        static func meanDuration(_ slices: [Slice]) -> Double {
            slices.reduce(0) { $0 + $1.duration } / Double(slices.count)
        }

        var duration: Double { end - start }

        var ranThroughout: Bool { processorTime >= duration * Self.leastShare }

        /// Whether another thread ran during this whole slice; `others` are its slices in order.
        func isCovered(by others: [Slice]) -> Bool {
            let overlapping = others.filter { $0.end > start && $0.start < end }
            guard let first = overlapping.first, let last = overlapping.last else { return false }
            return first.start <= start && last.end >= end && overlapping.allSatisfy(\.ranThroughout)
        }
    }
}
