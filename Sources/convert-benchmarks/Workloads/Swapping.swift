import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import ConvertConcurrency

/// The slowest decisions while another thread compiles and swaps the config, compared with the slowest decisions of a
/// control run without swaps.
enum Swapping {
    static let workload = Workload(
        id: "W1-swap",
        summary: "slow decisions of a million W1 while the config is swapped every 10 ms, in those without swapping",
        unit: .timesControl, goal: 1.2, expected: "2000000 decisions",
        runner: .custom(repetitions: 5) { inputs in
            let config = try ProjectConfig(json: inputs.data("w1-config.json"))
            let attributes = try inputs.attributeSets("w1-attributes.json")
            return {
                let control = measure(config, attributes, swaps: false)
                let swapped = measure(config, attributes, swaps: true)
                guard swapped.swaps >= leastSwaps else {
                    throw BenchmarkFailure(
                        description: "W1-swap: only \(swapped.swaps) swaps; measure where two processors are idle")
                }
                return swapped.sample(comparedWith: control)
            }
        })

    /// The smallest number of swaps during a million decisions that shows that the other thread had a processor.
    private static let leastSwaps = 10

    /// The durations of the decisions of one run.
    private struct Times {
        /// The durations of the decisions that the system did not interrupt, in nanoseconds, in ascending order.
        var sorted: [Double] = []
        /// The number of decisions that the system interrupted.
        var interrupted = 0
        /// The number of times that the config was swapped during the run.
        var swaps = 0

        /// The sample whose value is the largest of three ratios: times of slow decisions, divided by the same times of
        /// `control`.
        func sample(comparedWith control: Times) -> Sample {
            let quantiles = [("99.9 %", 0.999), ("99.99 %", 0.9999), ("slowest", 1)]
            var details = [
                "median, ns": sorted.quantile(0.5), "median of the control, ns": control.sorted.quantile(0.5),
                "interrupted": Double(interrupted), "interrupted in the control": Double(control.interrupted),
                "swaps": Double(swaps),
            ]
            var worst = 0.0
            for (name, share) in quantiles {
                let (time, expected) = (sorted.quantile(share), control.sorted.quantile(share))
                details["\(name), ns"] = time
                details["\(name) of the control, ns"] = expected
                worst = max(worst, time / expected)
            }
            let count = sorted.count + interrupted + control.sorted.count + control.interrupted
            return Sample(value: worst, operations: count, check: "\(count) decisions", details: details)
        }
    }

    private static func measure(_ config: ProjectConfig, _ attributeSets: [JSObject], swaps: Bool) -> Times {
        let current = Current(manager(of: config))
        let isDone = Atomic<Bool>(false)
        let result = Mutex(Times())
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            if thread == 0 {
                let times = decide(current, attributeSets)
                result.withLock { ($0.sorted, $0.interrupted) = (times.sorted, times.interrupted) }
                isDone.store(true, ordering: .releasing)
                return
            }
            while !isDone.load(ordering: .acquiring) {
                // This thread frees the old manager after the pause, so that the deciding thread does not free it.
                let old = swaps ? current.swap(manager(of: config)) : nil
                if swaps { result.withLock { $0.swaps += 1 } }
                withExtendedLifetime(old) { _ = usleep(10_000) }
            }
        }
        return result.withLock { $0 }
    }

    private static func manager(of config: ProjectConfig) -> ExperienceManager {
        ExperienceManager(project: Project(config), environment: "production")
    }

    private static func decide(_ current: Current, _ attributeSets: [JSObject]) -> Times {
        let options = DecisionOptions.benchmark
        let visitors = (0..<1000).map { "v\($0)" }
        var times: [Double] = []
        times.reserveCapacity(1_000_000)
        var preemptions = preemptionCount()
        var interrupted = 0
        for number in 0..<1_000_000 {
            let start = ClockReading.read(CLOCK_MONOTONIC)
            let manager = current.manager
            var visitor = manager.visitor(id: visitors[number % 1000], attributes: attributeSets[number & 63])
            _ = manager.selectVariation("exp-0", for: &visitor, options: options)
            let time = ClockReading.read(CLOCK_MONOTONIC) - start
            // If the system preempted the thread, the time says nothing about the decision. A wait for a lock is not a
            // preemption, so it counts.
            let now = time > 4000 ? preemptionCount() : preemptions
            if now == preemptions { times.append(time) } else { interrupted += 1 }
            // Preemptions between the decisions must not count against a later slow decision.
            preemptions = number % 1000 == 999 ? preemptionCount() : now
        }
        return Times(sorted: times.sorted(), interrupted: interrupted)
    }

    /// The number of times that the system preempted this thread; 0 on systems other than Linux.
    private static func preemptionCount() -> Int {
        #if os(Linux)
        var usage = rusage()
        // 1 is RUSAGE_THREAD, which the C library's module does not export. Safe: the call writes only to `usage`.
        unsafe getrusage(1, &usage)
        return usage.ru_nivcsw
        #else
        return 0
        #endif
    }

    /// The current manager behind a lock, as a host keeps it.
    private final class Current: Sendable {
        private let state: Mutex<ExperienceManager>

        init(_ manager: ExperienceManager) { state = Mutex(manager) }

        var manager: ExperienceManager { state.withLock { $0 } }

        func swap(_ manager: ExperienceManager) -> ExperienceManager {
            state.withLock { current in
                defer { current = manager }
                return current
            }
        }
    }
}
