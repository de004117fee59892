import ConvertECMAScript
import ConvertSwiftSDKCore

/// W1: a context with five attributes, and a decision in one experience with one audience.
struct DecideOne: Sendable {
    static let workloads = [
        Workload(
            id: "W1", summary: "create a context, decide one experience", goal: 125, expected: check,
            runner: .timed(operations: visitorCount) { inputs in
                let decide = try DecideOne(inputs.manager("w1-config.json"), inputs)
                return { decide.run() }
            }),
        Workload(
            id: "W1s", summary: "W1 with one leaf per clause", expected: "var-0 10895, var-1 10982, none 78123",
            runner: .timed(operations: visitorCount) { inputs in
                let decide = try DecideOne(inputs.manager("w1s-config.json"), inputs)
                return { decide.run() }
            }),
        Workload(
            id: "W1-again", summary: "W1's decision on a context that has made it before; it allocates nothing",
            expected: check,
            runner: .timed(operations: visitorCount) { inputs in
                let decide = try DecideOne(inputs.manager("w1-config.json"), inputs)
                let visitors = decide.contexts()
                return { decide.run(visitors) }
            }),
        TwoThreads.workload(id: "W1x2", of: "W1", operations: visitorCount, expected: check) { inputs in
            let manager = try inputs.manager("w1-config.json")
            // As in a server, the threads share the project, but not the data of their visitors.
            let copies = try [DecideOne(manager, inputs), DecideOne(manager, inputs)]
            return { copies[$0].run() }
        },
    ]

    static let visitorCount = 100_000
    /// The expected decisions for all visitors.
    static let check = "var-0 22511, var-1 22801, none 54688"

    let manager: ExperienceManager
    let attributeSets: [JSObject]
    let visitors: [String]

    init(_ manager: ExperienceManager, _ inputs: Inputs) throws {
        self.manager = manager
        attributeSets = try inputs.attributeSets("w1-attributes.json")
        visitors = (0..<Self.visitorCount).map { "v\($0)" }
    }

    /// Creates a context for each visitor and makes a decision.
    func run() -> String {
        let options = DecisionOptions.benchmark
        var first = 0
        var second = 0
        var none = 0
        for (index, id) in visitors.enumerated() {
            var visitor = manager.visitor(id: id, attributes: attributeSets[index & 63])
            let decision = manager.selectVariation("exp-0", for: &visitor, options: options)
            switch decision.value.variation?.variationKey {
            case "exp-0-var-0": first += 1
            case "exp-0-var-1": second += 1
            default: none += 1
            }
        }
        return "var-0 \(first), var-1 \(second), none \(none)"
    }

    /// A context for each visitor.
    func contexts() -> [HeldVisitor] {
        visitors.enumerated().map { HeldVisitor(manager.visitor(id: $1, attributes: attributeSets[$0 & 63])) }
    }

    /// Makes a decision on each of `contexts`.
    func run(_ contexts: [HeldVisitor]) -> String {
        let options = DecisionOptions.benchmark
        var first = 0
        var second = 0
        var none = 0
        for index in contexts.indices {
            let decision = manager.selectVariation("exp-0", for: &contexts[index].visitor, options: options)
            switch decision.value.variation?.variationKey {
            case "exp-0-var-0": first += 1
            case "exp-0-var-1": second += 1
            default: none += 1
            }
        }
        return "var-0 \(first), var-1 \(second), none \(none)"
    }
}

/// A reference to a visitor, because an array cannot hold values that cannot be copied.
final class HeldVisitor {
    var visitor: Visitor

    init(_ visitor: consuming Visitor) { self.visitor = visitor }
}
