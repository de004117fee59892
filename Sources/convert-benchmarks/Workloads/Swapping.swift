import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import ConvertConcurrency

/// The slowest decision while another thread compiles and swaps the config, compared with the median.
enum Swapping {
    static let workload = Workload(
        id: "W1-swap", summary: "slowest of a million W1 while the config is swapped every 10 ms, in medians",
        unit: .timesMedian, goal: 20, expected: "1000000 decisions",
        runner: .custom(repetitions: 3) { inputs in
            let config = try ProjectConfig(json: inputs.data("w1-config.json"))
            let attributes = try inputs.attributeSets("w1-attributes.json")
            return { measure(config, attributes) }
        })

    private static func measure(_ config: ProjectConfig, _ attributeSets: [JSObject]) -> Sample {
        let current = Current(manager(of: config))
        let isDone = Atomic<Bool>(false)
        let result = Mutex<Sample?>(nil)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            if thread == 0 {
                let sample = decide(current, attributeSets)
                result.withLock { $0 = sample }
                isDone.store(true, ordering: .releasing)
                return
            }
            while !isDone.load(ordering: .acquiring) {
                // The old one is freed here, some time later, not by whoever decides last.
                let old = current.swap(manager(of: config))
                withExtendedLifetime(old) { _ = usleep(10_000) }
            }
        }
        return result.withLock { $0 } ?? Sample(value: .infinity, check: "nothing decided")
    }

    private static func manager(of config: ProjectConfig) -> ExperienceManager {
        ExperienceManager(project: CompiledProject(config), environment: "production")
    }

    private static func decide(_ current: Current, _ attributeSets: [JSObject]) -> Sample {
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
            // While the system had taken the processor away, the decision did not run.
            let now = time > 4000 ? preemptionCount() : preemptions
            if now == preemptions { times.append(time) } else { interrupted += 1 }
            preemptions = now
        }
        times.sort()
        let median = times[times.count / 2]
        return Sample(
            value: times[times.count - 1] / median, operations: 1_000_000,
            check: "\(times.count + interrupted) decisions",
            details: [
                "median, ns": median, "99.9 %, ns": times[times.count * 999 / 1000],
                "99.999 %, ns": times[times.count / 100_000 * 99_999], "slowest, ns": times[times.count - 1],
                "interrupted": Double(interrupted),
            ])
    }

    /// How often this thread lost its processor.
    private static func preemptionCount() -> Int {
        #if os(Linux)
        var usage = rusage()
        // RUSAGE_THREAD, which the C library's module does not show.
        getrusage(1, &usage)
        return usage.ru_nivcsw + usage.ru_nvcsw
        #else
        return 0
        #endif
    }

    /// The config of the moment, as a host keeps it.
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
