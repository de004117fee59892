import ConvertECMAScript
import ConvertMobileRules
import Foundation

/// W8: which of 1000 mobile rules an event matches, without carrying out a consequence; its growth with the rules; and
/// W8parse: decoding and compiling the rules.
enum MobileRules {
    static let workloads = [
        matching("W8", rules: 1000, goal: 40_000, matches: 5370) { try $0.data("w8-rules.json") },
        growth(rules: 10, matches: 50),
        growth(rules: 100, matches: 410),
        growth(rules: 1000, matches: 5370),
        growth(rules: 10_000, goal: 300_000, matches: 56_024),
        Workload(
            id: "W8parse", summary: "decode and compile 1000 mobile rules", goal: 25_000_000, expected: "1000 rules",
            runner: .timed(operations: 1) { inputs in
                let json = try inputs.data("w8-rules.json")
                return {
                    let engine = MobileRulesEngine()
                    _ = engine.replaceRules(with: try RulesDocument(json: json))
                    return "\(engine.ruleCount) rules"
                }
            }),
    ]

    /// A prefix of the generated rules.
    private static func growth(rules count: Int, goal: Double? = nil, matches: Int) -> Workload {
        matching("G8-\(count)", rules: count, goal: goal, matches: matches) { _ in GrowthRules.json(rules: count) }
    }

    /// The rules of a document against 50 events in turn.
    private static func matching(
        _ id: String, rules count: Int, goal: Double?, matches: Int, json: @escaping @Sendable (Inputs) throws -> Data
    ) -> Workload {
        let rounds = 20
        return Workload(
            id: id, summary: "which of \(count) mobile rules an event matches", goal: goal,
            expected: "\(matches) matches",
            runner: .timed(operations: 50 * rounds) { inputs in
                let engine = MobileRulesEngine()
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
    /// The events: type and source apart, the other keys flat in the data.
    fileprivate func mobileEvents() throws -> [MobileEvent] {
        try JSONDecoder().decode([JSObject].self, from: data("w8-events.json")).map { members in
            let data = JSObject(members.filter { !$0.key.name.hasPrefix("~") }.map { ($0.key.name, $0.value) })
            return MobileEvent(
                type: members["~type"]?.stringValue ?? "", source: members["~source"]?.stringValue ?? "", data: data)
        }
    }
}
