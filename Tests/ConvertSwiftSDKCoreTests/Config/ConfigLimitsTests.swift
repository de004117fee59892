import ConvertECMAScript
@testable import ConvertSwiftSDKCore
import Foundation
import Testing

struct ConfigLimitsTests {
    /// What is wrong with a config of `members` if only so much may be read.
    private func error(
        _ members: String, entities: Int = .max, ruleParts: Int = .max
    ) throws -> ConfigError? {
        let text = #"{"account_id":"1","project":{"id":"2"},\#(members)}"#
        return try ECMAScript.parseJSON(text, vocabulary: ConfigMember.vocabulary).withRoot { root -> ConfigError? in
            do throws(ConfigError) {
                _ = try ProjectConfig(root, ConfigReader(entities: entities, ruleParts: ruleParts))
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func entitiesAreCountedWithWhatTheyList() throws {
        let members = #"""
            "experiences":[{"id":"e","variations":[{"id":"v","changes":[{},{}]},{}]},7],
            "features":[{"id":"f","variables":[{"key":"k"}]}],"goals":[{"id":"g"}]
            """#
        #expect(try error(members, entities: 9) == nil)
        let refusal = try #require(try error(members, entities: 8))
        #expect(refusal.code == .tooLarge)
        #expect(refusal.path == "$.goals")
        #expect(refusal.message.contains("\(ConfigLimits.entities) experiences"))
    }

    @Test func blocksClausesAndLeavesAreCounted() throws {
        let rules = #"{"OR":[{"AND":[{"OR_WHEN":[{},null,7]},null]},null,{}]}"#
        let members = #""audiences":[{"id":"a","rules":\#(rules)}],"experiences":[{"id":"e","site_area":\#(rules)}]"#
        #expect(try error(members, ruleParts: 20) == nil)
        let refusal = try #require(try error(members, ruleParts: 19))
        #expect(refusal.code == .tooLarge)
        #expect(refusal.path == "$.audiences[0].rules")
        #expect(refusal.message.contains("\(ConfigLimits.ruleParts) blocks"))
        #expect(try error(members, ruleParts: 9)?.path == "$.experiences[0].site_area")
    }

    @Test func aListOfEmptyExperiencesIsRefusedBeforeItsElementsAreRead() throws {
        let elements = Array(repeating: "{}", count: ConfigLimits.entities + 1).joined(separator: ",")
        let json = Data(#"{"account_id":"1","project":{"id":"2"},"experiences":[\#(elements)]}"#.utf8)
        let refusal = #expect(throws: ConfigError.self) { try ProjectConfig(json: json) }
        #expect(refusal?.code == .tooLarge)
        #expect(refusal?.path == "$.experiences")
    }

    @Test func whoeverWouldAttachTooMuchLetsNobodyIn() throws {
        let audiences: [JSValue] = (0..<4).map { _ in audience("a", asking: "x") }
        let attaching: JSObject = ["audiences": ["a", "a"]]
        let config = try config([
            "audiences": .array(audiences),
            "experiences": [experience("one", attaching), experience("two", attaching), experience("three")],
        ])
        func decisions(attachments: Int) -> [String?] {
            let compiler = ProjectCompiler(config, options: CompilationOptions(), attachments: attachments)
            let manager = ExperienceManager(project: CompiledProject(compiler), environment: "staging")
            return ["one", "two", "three"].map { manager.decide($0, ["x": "yes"]).variation?.variationKey }
        }
        // Each look-up of a repeated id counts, because each takes time.
        #expect(decisions(attachments: 16) == ["only", "only", "only"])
        #expect(decisions(attachments: 15) == ["only", nil, "only"])
        #expect(decisions(attachments: 7) == [nil, nil, "only"])
    }

    @Test func locationsAreAttachedAsSparinglyAsAudiences() throws {
        let config = try config([
            "locations": .array((0..<4).map { _ in place("l", asking: "x") }),
            "experiences": [experience("one", ["locations": ["l"]]), experience("two", ["locations": ["l"]])],
        ])
        let compiler = ProjectCompiler(config, options: CompilationOptions(), attachments: 7)
        let project = CompiledProject(compiler)
        let manager = ExperienceManager(project: project, environment: "staging")
        let reasons = ["one", "two"].map { key in
            manager.decide(key) { $0.locationProperties = ["x": "yes"] }.variation?.variationKey
        }
        #expect(reasons == ["only", nil])
        #expect(project.diagnostics.map(\.path) == ["$.experiences[1].locations"])
        #expect(project.attachments.count == 4)
    }

    /// Were each of the experiences to hold each of the audiences, they would hold four million.
    @Test func repeatedIDsTakeNoMoreThanTheLimit() throws {
        let audiences: [JSValue] = (0..<2_000).map { _ in ["id": "a"] }
        let experiences: [JSValue] = (0..<2_000).map { experience("e\($0)", ["audiences": ["a"]]) }
        let project = CompiledProject(
            try config(["audiences": .array(audiences), "experiences": .array(experiences)]))
        #expect(project.attachments.count == ConfigLimits.attachments)
        #expect(project.diagnostics.contains { $0.path == "$.experiences[500].audiences" })
    }
}
