import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

struct ProjectTests {
    private func diagnostics(_ members: JSObject) throws -> [String] {
        Project(try config(members)).diagnostics.map(\.description)
    }

    @Test func aSoundConfigHasNothingToReport() throws {
        let members: JSObject = [
            "audiences": [audience("a", asking: "x")], "locations": [place("l", asking: "x")],
            "segments": [place("s", asking: "x")],
            "experiences": [experience("e", ["audiences": ["a", "s"], "locations": ["l"]])],
        ]
        #expect(try diagnostics(members) == [])
    }

    @Test func anExperienceWithoutVariationsIsReported() throws {
        let found = try diagnostics(["experiences": [experience("e", ["variations": []])]])
        #expect(found == ["$.experiences[0].variations: no variations: no visitor is bucketed."])
    }

    @Test func missingSettingsAreReportedWhereAudiencesAreAttached() throws {
        let attached = experience("e", ["audiences": ["a"]], without: "settings")
        let members: JSObject = [
            "audiences": [audience("a", asking: "x")], "experiences": [attached, experience("f", without: "settings")],
        ]
        #expect(
            try diagnostics(members) == [
                "$.experiences[0].settings: settings.matching_options is missing though audiences are attached."
            ])
    }

    @Test func defectsInRulesAreReportedWithTheirPlaceInTheConfig() throws {
        let bad = rules([leaf("a", "almost", "x")])
        let members: JSObject = [
            "audiences": [["id": "a", "rules": bad]], "locations": [["id": "l", "key": "l", "rules": bad]],
            "experiences": [experience("e", ["site_area": bad])],
        ]
        func told(_ path: String, _ entity: String) -> String {
            path + ".OR[0].AND[0].OR_WHEN[0]: \(entity): unknown operator 'almost': it never matches."
        }
        #expect(
            try diagnostics(members) == [
                told("$.audiences[0].rules", "audience a"), told("$.locations[0].rules", "location l"),
                told("$.experiences[0].site_area", "experience id-e"),
            ])
    }

    @Test func anInvalidPatternIsReportedWhereverItStands() throws {
        let bad = rules([leaf("a", "regexMatches", "("), leaf("b", "equals", "x"), leaf("a", "regexMatches", "(")])
        let found = try diagnostics(["audiences": [["id": "a", "rules": bad], ["id": "b", "rules": bad]]])
        let places = found.map { $0.prefix { $0 != ":" } }
        #expect(
            places == [
                "$.audiences[0].rules.OR[0].AND[0].OR_WHEN[0].value",
                "$.audiences[0].rules.OR[0].AND[0].OR_WHEN[2].value",
                "$.audiences[1].rules.OR[0].AND[0].OR_WHEN[0].value",
                "$.audiences[1].rules.OR[0].AND[0].OR_WHEN[2].value",
            ])
    }

    @Test func diagnosticsOfDecodingComeFirst() throws {
        let members: JSObject = ["goals": [7], "experiences": [experience("e", ["variations": []])]]
        let paths = Project(try config(members)).diagnostics.map(\.path)
        #expect(paths == ["$.goals[0]", "$.experiences[0].variations"])
    }

    @Test func diagnosticsOfRulesAreBounded() throws {
        let audiences = JSValue.array((0..<500).map { ["id": .integer($0), "rules": ["OR": []]] })
        #expect(try diagnostics(["audiences": audiences]).count == 200)
    }

    @Test func anUnknownOperatorIsQuotedInPartOnly() throws {
        let bad = rules([leaf("a", String(repeating: "x", count: 10_000), "x")])
        let found = try diagnostics(["audiences": [["id": "a", "rules": bad]]])
        #expect(found.first?.count ?? .max < 200)
    }

    @Test func declarationsOfOneIDHaveTheirCarriersInOnePlace() throws {
        let declarations = JSValue.array((0..<100).map { feature("7", "flow-\($0)") })
        let experiences = JSValue.array((0..<50).map { carrier("e\($0)", of: ["7"]) })
        let project = Project(try config(["features": declarations, "experiences": experiences]))
        let lists = (0..<100).map { project.features.carriers[$0] }
        #expect(lists.allSatisfy { $0.count == 50 })
        // A list for each would take memory by the square.
        #expect(Set(lists.map { $0.withUnsafeBufferPointer(\.baseAddress) }).count == 1)
    }

    @Test func keptAnswersKeepNoProject() throws {
        weak var project: Project?
        var decisions: [Decision] = []
        var features: [BucketedFeature] = []
        var explanation: Explanation?
        do {
            let manager = try ExperienceManager([
                "features": [feature("7", "flow", ["copy": "string"])],
                "experiences": [carrier("e", of: ["7"], ["copy": "go"]), experience("f", ["audiences": ["x"]])],
            ])
            project = manager.project
            var visitor = manager.visitor(id: "visitor")
            explanation = manager.explain("e", for: visitor)
            decisions = manager.selectVariations(for: &visitor).value
            features = FeatureManager(experiences: manager).features(for: &visitor).features
        }
        #expect(project == nil)
        #expect(decisions.map(\.variation?.experienceKey) == ["e", "f"] && explanation?.variation == "only-e")
        #expect(features.first?["copy"] == "go" && features.first?.experienceID == "id-e")
    }
}
