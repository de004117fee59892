import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Numbers that JSON can spell and a double cannot hold: infinite or zero, as in JavaScript.
struct ExtremeNumberTests {
    private static let numbers = ["1e999", "-1e999", "1e-999"]

    /// Why no visitor sees the variation of an experience with these members. Otherwise every visitor is eligible.
    private func reason(experience: String = "", variation: String = "", audience: String = "") throws -> Decision
        .Reason?
    {
        let json = """
            {"account_id": "1", "project": {"id": "2"}, "audiences": [{"id": "a" \(audience)}],
            "experiences": [{"id": "e", "key": "e" \(experience), "variations": [{"id": "v" \(variation)}]}]}
            """
        let config = try ProjectConfig(json: Data(json.utf8))
        return ExperienceManager(project: Project(config)).decide("e", ["a": "yes"]).reason
    }

    @Test func withoutThemEverybodyIsIn() throws {
        #expect(try reason() == nil)
    }

    @Test(arguments: [8, 12]) func anInfiniteAllocationIsPositiveOrNegativeLikeAnyOther(version: Int) throws {
        func reason(_ number: String) throws -> Decision.Reason? {
            try self.reason(
                experience: #", "version": \#(version)"#, variation: #", "traffic_allocation": \#(number)"#)
        }
        #expect(try reason("1e999") == nil)
        #expect(try reason("-1e999") == .notBucketed)
        #expect(try reason("1e-999") == .notBucketed)
    }

    @Test func onlyZeroAsAStatusRuns() throws {
        #expect(try reason(variation: #", "status": 1e999"#) == .notBucketed)
        #expect(try reason(variation: #", "status": -1e999"#) == .notBucketed)
        #expect(try reason(variation: #", "status": 1e-999"#) == nil)
    }

    @Test func onlyZeroAsAnEnvironmentRunsAnywhere() throws {
        #expect(try reason(experience: #", "environment": 1e999"#) == .otherEnvironment)
        #expect(try reason(experience: #", "environment": -1e999"#) == .otherEnvironment)
        #expect(try reason(experience: #", "environment": 1e-999"#) == nil)
    }

    @Test func onlyZeroCountsAsNoSiteArea() throws {
        #expect(try reason(experience: #", "site_area": 1e999"#) == .locationNotMatched)
        #expect(try reason(experience: #", "site_area": -1e999"#) == .locationNotMatched)
        #expect(try reason(experience: #", "site_area": 1e-999"#) == nil)
    }

    @Test(arguments: numbers) func aNumberAsRulesOfAnAudienceMatchesNoVisitor(number: String) throws {
        let audience = #", "rules": \#(number)"#
        #expect(try reason(experience: #", "audiences": ["a"]"#, audience: audience) == .audienceNotMatched)
    }

    @Test(arguments: numbers, [false, true])
    func aNumberAsTheValueOfALeafIsComparedAsText(number: String, negated: Bool) throws {
        let matching = #""matching": {"match_type": "equals", "negated": \#(negated)}"#
        let rules = #"{"OR": [{"AND": [{"OR_WHEN": [{"key": "a", "value": \#(number), \#(matching)}]}]}]}"#
        #expect(
            try reason(experience: #", "audiences": ["a"]"#, audience: #", "rules": \#(rules)"#)
                == (negated ? nil : .audienceNotMatched))
    }

    @Test func aNumberAsAnIDIsItsText() throws {
        let json = #"{"account_id": "1", "project": {"id": "2"}, "goals": [{"id": -1e999}]}"#
        #expect(try ProjectConfig(json: Data(json.utf8)).goals.map(\.id.text) == ["-Infinity"])
    }
}
