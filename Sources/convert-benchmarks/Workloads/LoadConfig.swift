import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// W7 and W9: from a config's bytes to the first decision, and the memory in use after that.
struct LoadConfig {
    static let workloads = [
        Workload(
            id: "W7", summary: "decode and compile 1000 experiences, decide one", goal: 5e6, expected: check,
            runner: .timed(operations: 1) { inputs in
                let load = try LoadConfig(inputs)
                return { try load.decide().key }
            }),
        Workload(
            id: "W7-cold", summary: "W7 as the first thing a process does", goal: 8e6, expected: check,
            runner: .freshProcess(repetitions: 7) { inputs in
                let load = try LoadConfig(inputs)
                let start = ClockReading.now()
                let key = try load.decide().key
                return ClockReading.now().sample(since: start, operations: 1, check: key)
            }),
        memory("W9", "resident memory", goal: 2.6e6) { $0.resident },
        memory("W9-anonymous", "memory of its own", goal: 1.2e6) { $0.anonymous },
    ]

    private static let check = "exp-999-var-0"

    /// The memory that W7 adds to a process, without the allocator's free memory.
    private static func memory(
        _ id: String, _ what: String, goal: Double, _ amount: @escaping @Sendable (MemoryReading) -> Int
    ) -> Workload {
        Workload(
            id: id, summary: "\(what) that W7 adds to the process", unit: .bytes, goal: goal, expected: check,
            runner: .freshProcess(repetitions: 7) { inputs in
                let visitor = try inputs.attributeSets("w2-attributes.json")[0]
                // The first reading itself allocates memory.
                _ = try MemoryReading.now()
                MemoryReading.releaseFreeMemory()
                let before = try MemoryReading.now()
                let (key, manager) = try LoadConfig(config: inputs.data("w7-config.json"), visitor: visitor).decide()
                MemoryReading.releaseFreeMemory()
                let after = try MemoryReading.now()
                return withExtendedLifetime(manager) {
                    Sample(
                        value: Double(amount(after) - amount(before)), check: key,
                        details: ["before": Double(amount(before)), "peak": Double(after.peak)])
                }
            })
    }

    let config: Data
    let visitor: JSObject

    init(config: Data, visitor: JSObject) {
        self.config = config
        self.visitor = visitor
    }

    init(_ inputs: Inputs) throws {
        config = try inputs.data("w7-config.json")
        visitor = try inputs.attributeSets("w2-attributes.json")[0]
    }

    func decide() throws -> (key: String, manager: ExperienceManager) {
        let manager = try ExperienceManager(config: config)
        var visitor = manager.visitor(id: "w7-v0", attributes: visitor)
        let decision = manager.selectVariation("exp-999", for: &visitor, options: .benchmark)
        return (decision.value.variation?.variationKey ?? "none", manager)
    }
}
