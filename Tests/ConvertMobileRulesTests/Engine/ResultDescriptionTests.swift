import ConvertECMAScript
import ConvertMobileRules
import Foundation
import Testing

struct ResultDescriptionTests {
    @Test func aResultSaysInFewLinesWhatFollowed() throws {
        let rules = """
            {"version": 1, "rules": [{
                "condition": {"type": "matcher", "definition": {"key": "action", "matcher": "eq", "values": ["buy"]}},
                "consequences": [{"id": "thanks", "type": "iam", "detail": {"title": "Thank you"}}]}]}
            """
        let engine = MobileRulesEngine()
        _ = try engine.replaceRules(with: RulesDocument(json: Data(rules.utf8)))
        let result = engine.process(MobileEvent(type: "track", source: "app", data: ["action": "buy"]))
        #expect("\(result)" == "track, app: matches 0\n  thanks (iam) {\"title\":\"Thank you\"}")
    }

    @Test func aResultWithoutRulesSaysThatTheEventWaits() {
        let result = MobileRulesEngine().process(MobileEvent(type: "track", source: "app"))
        #expect("\(result)" == "track, app: waits for the first rules")
    }
}
