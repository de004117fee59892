import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Numbers that JSON can spell and a double cannot hold: the decoder refuses them, which must not open a gate.
struct UnreadableNumberTests {
    private static let numbers = ["1e999", "-1e999", "1e-999"]

    /// Why nobody sees the variation of an experience with these members, which lets everybody in otherwise.
    private func reason(experience: String = "", variation: String = "", audience: String = "") throws -> Reason? {
        let json = """
            {"account_id": "1", "project": {"id": "2"}, "audiences": [{"id": "a" \(audience)}],
            "experiences": [{"id": "e", "key": "e" \(experience), "variations": [{"id": "v" \(variation)}]}]}
            """
        let config = try ProjectConfig(json: Data(json.utf8))
        return ExperienceManager(project: CompiledProject(config)).decide("e", ["a": "yes"]).reason
    }

    @Test func withoutThemEverybodyIsIn() throws {
        #expect(try reason() == nil)
    }

    @Test(arguments: numbers, [8, 12]) func asAnAllocationItTakesNobody(number: String, version: Int) throws {
        let experience = #", "version": \#(version)"#
        #expect(try reason(experience: experience, variation: #", "traffic_allocation": \#(number)"#) == .notBucketed)
    }

    @Test(arguments: numbers) func asAStatusItStops(number: String) throws {
        #expect(try reason(variation: #", "status": \#(number)"#) == .notBucketed)
    }

    @Test(arguments: numbers) func asAnEnvironmentItRunsNowhere(number: String) throws {
        #expect(try reason(experience: #", "environment": \#(number)"#) == .otherEnvironment)
    }

    @Test(arguments: numbers) func asASiteAreaItLetsNobodyIn(number: String) throws {
        #expect(try reason(experience: #", "site_area": \#(number)"#) == .locationNotMatched)
    }

    @Test(arguments: numbers) func asTheRulesOfAnAudienceItLetsNobodyIn(number: String) throws {
        let audience = #", "rules": \#(number)"#
        #expect(try reason(experience: #", "audiences": ["a"]"#, audience: audience) == .audienceNotMatched)
    }

    @Test(arguments: numbers, [false, true]) func asAValueOfALeafItNeverMatches(number: String, negated: Bool) throws {
        let matching = #""matching": {"match_type": "equals", "negated": \#(negated)}"#
        let rules = #"{"OR": [{"AND": [{"OR_WHEN": [{"key": "a", "value": \#(number), \#(matching)}]}]}]}"#
        #expect(
            try reason(experience: #", "audiences": ["a"]"#, audience: #", "rules": \#(rules)"#) == .audienceNotMatched)
    }
}
