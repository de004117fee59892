import ConvertECMAScript
import ConvertMobileRules
import Foundation

/// W8: which of 1000 mobile rules an event matches, without running consequences, and the growth with the number of
/// rules. W8parse: decoding and compiling the rules.
enum MobileRules {
    static let workloads = [
        matching("W8", rules: 1000, goal: 12_000, matches: 5370) { try $0.data("w8-rules.json") },
        growth(rules: 10, matches: 50),
        growth(rules: 100, matches: 410),
        growth(rules: 1000, matches: 5370),
        growth(rules: 10_000, goal: 150_000, matches: 56_024),
        states,
        Workload(
            id: "W8parse", summary: "decode and compile 1000 mobile rules", goal: 5e6, expected: "1000 rules",
            runner: .timed(operations: 1) { inputs in
                let json = try inputs.data("w8-rules.json")
                return {
                    let engine = MobileRulesEngine()
                    _ = engine.replaceRules(with: try RulesDocument(json: json))
                    return "\(engine.ruleCount) rules"
                }
            }),
    ]

    /// 10,000 rules that each read one of the 20 keys of a shared state.
    private static let states = matching(
        "G8-states", rules: 10_000, goal: nil, matches: 1000,
        states: FixedSharedStates([
            "s": JSObject((0..<20).map { ("k\($0)", 1) })
        ])
    ) { _ in
        let rules = (0..<10_000).map {
            #"{"condition":{"type":"matcher","definition":{"key":"~state.s/k\#($0)","matcher":"eq","values":[1]}},"#
                + #""consequences":[]}"#
        }
        return Data(#"{"version":1,"rules":[\#(rules.joined(separator: ","))]}"#.utf8)
    }

    /// The workload with the first `count` generated rules.
    private static func growth(rules count: Int, goal: Double? = nil, matches: Int) -> Workload {
        matching("G8-\(count)", rules: count, goal: goal, matches: matches) { _ in GrowthRules.json(rules: count) }
    }

    /// The workload that matches 50 events in turn with the rules of a document.
    private static func matching(
        _ id: String, rules count: Int, goal: Double?, matches: Int,
        states: any SharedStateProvider = FixedSharedStates(), json: @escaping @Sendable (Inputs) throws -> Data
    ) -> Workload {
        let rounds = 20
        return Workload(
            id: id, summary: "which of \(count) mobile rules an event matches", goal: goal,
            expected: "\(matches) matches",
            runner: .timed(operations: 50 * rounds) { inputs in
                var configuration = MobileRulesConfiguration()
                configuration.sharedStates = states
                let engine = MobileRulesEngine(configuration)
                _ = engine.replaceRules(with: try RulesDocument(json: json(inputs)))
                let events = try inputs.mobileEvents()
                return {
                    var matched = 0
                    for _ in 0..<rounds {
                        for event in events { matched += engine.matchingRules(for: event).count }
                    }
                    return "\(matched / rounds) matches"
                }
            })
    }
}

extension Inputs {
    /// The events of W8. The keys that start with `~` are the type and the source; the other keys are the data.
    fileprivate func mobileEvents() throws -> [MobileEvent] {
        try attributeSets("w8-events.json").map { members in
            let data = JSObject(members.filter { !$0.key.name.hasPrefix("~") }.map { ($0.key.name, $0.value) })
            return MobileEvent(
                type: members["~type"]?.stringValue ?? "", source: members["~source"]?.stringValue ?? "", data: data)
        }
    }
}
