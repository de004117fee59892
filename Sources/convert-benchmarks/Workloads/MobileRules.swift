import ConvertECMAScript
import ConvertMobileRules
import Foundation

/// W8: which of 1000 mobile rules an event matches, without carrying out a consequence; its growth with the rules; and
/// W8parse: decoding and compiling the rules.
enum MobileRules {
    static let workloads = [
        matching("W8", rules: 1000, goal: 40_000, matches: 5370),
        matching("G8-10", rules: 10, goal: nil, matches: 50),
        matching("G8-100", rules: 100, goal: nil, matches: 410),
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

    /// The first `count` rules against 50 events in turn.
    private static func matching(_ id: String, rules count: Int, goal: Double?, matches: Int) -> Workload {
        let rounds = 20
        return Workload(
            id: id, summary: "which of \(count) mobile rules an event matches", goal: goal,
            expected: "\(matches) matches",
            runner: .timed(operations: 50 * rounds) { inputs in
                let engine = MobileRulesEngine()
                _ = engine.replaceRules(with: try RulesDocument(json: inputs.mobileRules(prefix: count)))
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
    /// A document of the first `count` rules.
    fileprivate func mobileRules(prefix count: Int) throws -> Data {
        let document = try JSONDecoder().decode(JSObject.self, from: data("w8-rules.json"))
        var shortened = document
        shortened["rules"] = .array(Array((document["rules"]?.arrayValue ?? []).prefix(count)))
        return try JSONEncoder().encode(shortened)
    }

    /// The events: type and source apart, the other keys flat in the data.
    fileprivate func mobileEvents() throws -> [MobileEvent] {
        try JSONDecoder().decode([JSObject].self, from: data("w8-events.json")).map { members in
            let data = JSObject(members.filter { !$0.key.name.hasPrefix("~") }.map { ($0.key.name, $0.value) })
            return MobileEvent(
                type: members["~type"]?.stringValue ?? "", source: members["~source"]?.stringValue ?? "", data: data)
        }
    }
}
