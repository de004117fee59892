import Foundation
import ConvertConcurrency

/// Measures how much faster two threads are than one, in turns within one repetition.
enum TwoThreads {
    /// - Parameters:
    ///   - goal: how much faster it shall be, if that was set.
    ///   - prepare: returns the work of the thread whose number it is given.
    static func workload(
        id: String, of single: String, operations: Int, goal: Double? = 1.9, expected: String,
        prepare: @escaping @Sendable (Inputs) throws -> @Sendable (Int) -> String
    ) -> Workload {
        Workload(
            id: id, summary: "\(single) on two threads, how much faster than on one", unit: .times, goal: goal,
            expected: expected,
            runner: .custom(repetitions: 15) { inputs in
                let run = try prepare(inputs)
                return { measure(run, operations: operations) }
            })
    }

    /// How many nanoseconds each side runs at least, so that starting a thread does not count.
    private static let leastTime = 100_000_000.0

    private static func measure(_ run: @escaping @Sendable (Int) -> String, operations: Int) -> Sample {
        let first = ClockReading.now()
        _ = run(0)
        let round = ClockReading.now().sample(since: first, operations: 1, check: "").value
        let rounds = max(4, Int(leastTime / max(1, round)))
        let start = ClockReading.now()
        for _ in 0..<rounds { _ = run(0) }
        let single = ClockReading.now().sample(since: start, operations: operations * rounds, check: "")
        let checks = Mutex<[String]>([])
        let parallelStart = ClockReading.now()
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for _ in 0..<rounds {
                let check = run(thread)
                checks.withLock { $0.append(check) }
            }
        }
        let parallel = ClockReading.now().sample(since: parallelStart, operations: operations * rounds * 2, check: "")
        let answers = Set(checks.withLock { $0 })
        return Sample(
            value: single.value / parallel.value, processorTime: parallel.processorTime,
            others: max(single.others, parallel.others), operations: parallel.operations,
            check: answers.sorted().joined(separator: " / "),
            details: ["one thread, ns": single.value, "two threads, ns": parallel.value])
    }
}
