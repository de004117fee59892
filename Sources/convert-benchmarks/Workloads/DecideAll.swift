import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// W2 and its growth series: a context with twenty attributes, and decisions in all experiences, which have three
/// audiences each.
struct DecideAll: Sendable {
    static let workloads = [
        workload("W2", visitors: 1000, goal: 7500, "35740 decisions, hash 829851382") {
            try $0.data("w2-config.json")
        },
        TwoThreads.workload(
            id: "W2x2", of: "W2", operations: 1000, expected: "35740 decisions, hash 829851382"
        ) { inputs in
            let manager = try inputs.manager("w2-config.json")
            let copies = try [
                DecideAll(manager, inputs, visitorCount: 1000), DecideAll(manager, inputs, visitorCount: 1000),
            ]
            return { copies[$0].run() }
        },
        workload("G2-10", visitors: 1000, "4960 decisions, hash 220476659") { try $0.data("g2-10-config.json") },
        workload("G2-100", visitors: 1000, "35740 decisions, hash 829851382") { try $0.data("w2-config.json") },
        workload("G2-1000", visitors: 20, "6641 decisions, hash 946821216") { _ in
            GrowthConfig.json(experiences: 1000, seed: 21_000)
        },
    ]

    private static func workload(
        _ id: String, visitors: Int, goal: Double? = nil, _ expected: String,
        config: @escaping @Sendable (Inputs) throws -> Data
    ) -> Workload {
        Workload(
            id: id, summary: "create a context, decide every experience", goal: goal, expected: expected,
            runner: .timed(operations: visitors) { inputs in
                let manager = try ExperienceManager(config: config(inputs))
                let decide = try DecideAll(manager, inputs, visitorCount: visitors)
                return { decide.run() }
            })
    }

    let manager: ExperienceManager
    let attributeSets: [JSObject]
    let visitors: [String]

    init(_ manager: ExperienceManager, _ inputs: Inputs, visitorCount: Int) throws {
        self.manager = manager
        attributeSets = try inputs.attributeSets("w2-attributes.json")
        visitors = (0..<visitorCount).map { "w2-v\($0)" }
    }

    /// Decides for all visitors.
    func run() -> String {
        let options = DecisionOptions.benchmark
        var count = 0
        var hash = 0
        for (index, id) in visitors.enumerated() {
            var visitor = manager.visitor(id: id, attributes: attributeSets[index % attributeSets.count])
            let experiences = manager.project.config.experiences
            manager.forEachConclusion(for: &visitor, options: options) { conclusion in
                guard let selection = conclusion.selection else { return }
                count += 1
                let id = experiences[selection.experience].variations[selection.variation].id
                hash = (hash * 31 + (Int(id?.text ?? "") ?? 0)) % 1_000_000_007
            }
        }
        return "\(count) decisions, hash \(hash)"
    }
}
