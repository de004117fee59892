import ConvertECMAScript
import ConvertSwiftSDKCore

/// What a decision allocates once its context exists: nothing.
enum Allocations {
    static let workload = Workload(
        id: "W1-allocs", summary: "objects that W1's second decision on one context allocates", unit: .allocations,
        goal: 0, expected: "exp-0-var-0",
        runner: .custom(repetitions: 5) { inputs in
            let manager = try inputs.manager("w1-config.json")
            let attributes = try inputs.attributeSets("w1-attributes.json")
            return { try measure(manager, attributes) }
        })

    private static func measure(_ manager: ExperienceManager, _ attributeSets: [JSObject]) throws -> Sample {
        let options = DecisionOptions.benchmark
        for number in 0..<1000 {
            var visitor = manager.visitor(id: "v\(number)", attributes: attributeSets[number & 63])
            let first = manager.selectVariation("exp-0", for: &visitor, options: options)
            // The first visitor who sees the first variation goes on.
            guard first.variation?.variationKey == "exp-0-var-0" else { continue }
            let rounds = 1000
            var key: String?
            let count = try AllocationCounter.count {
                for _ in 0..<rounds {
                    key = manager.selectVariation("exp-0", for: &visitor, options: options).variation?.variationKey
                }
            }
            return Sample(value: Double(count) / Double(rounds), operations: rounds, check: key ?? "none")
        }
        throw BenchmarkFailure(description: "nobody sees the first variation")
    }
}
