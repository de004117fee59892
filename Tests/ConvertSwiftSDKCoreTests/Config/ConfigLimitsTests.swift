import ConvertECMAScript
@testable import ConvertSwiftSDKCore
import ConvertTestSupport
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

    @Test func anExperienceThatAttachesTooMuchTakesNoVisitor() throws {
        let audiences: [JSValue] = (0..<4).map { _ in audience("a", asking: "x") }
        let attaching: JSObject = ["audiences": ["a", "a"]]
        let config = try config([
            "audiences": .array(audiences),
            "experiences": [experience("one", attaching), experience("two", attaching), experience("three")],
        ])
        func decisions(attachments: Int) -> [String?] {
            let compiler = ProjectCompiler(config, options: CompilationOptions(), attachments: attachments)
            let manager = ExperienceManager(project: Project(compiler), environment: "staging")
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
        let project = Project(compiler)
        let manager = ExperienceManager(project: project, environment: "staging")
        let reasons = ["one", "two"].map { key in
            manager.decide(key) { $0.locationProperties = ["x": "yes"] }.variation?.variationKey
        }
        #expect(reasons == ["only", nil])
        #expect(project.diagnostics.map(\.path) == ["$.experiences[1].locations"])
        #expect(project.experiences.attachments.count == 4)
    }

    /// Were each of the experiences to hold each of the audiences, they would hold four million.
    @Test func repeatedIDsTakeNoMoreThanTheLimit() throws {
        let audiences: [JSValue] = (0..<2_000).map { _ in ["id": "a"] }
        let experiences: [JSValue] = (0..<2_000).map { experience("e\($0)", ["audiences": ["a"]]) }
        let project = Project(
            try config(["audiences": .array(audiences), "experiences": .array(experiences)]))
        #expect(project.experiences.attachments.count == ConfigLimits.attachments)
        #expect(project.diagnostics.contains { $0.path == "$.experiences[500].audiences" })
    }

    /// Were all entities with the text of an id looked at, four thousand million would be.
    @Test func idsOfAnotherTypeTakeNoTime() throws {
        let audiences = JSValue.array(Array(repeating: ["id": 7], count: 20_000))
        let attaching = JSValue.array(Array(repeating: "7", count: 200_000))
        let project = Project(
            try config(["audiences": audiences, "experiences": [experience("e", ["audiences": attaching])]]))
        #expect(project.experiences.attachments.count == 0)
        #expect(project.diagnostics.count == 2 * ConfigDiagnostic.limit)
    }

    /// Were each variation looked up among all of them, or those indexed anew each time, sixteen million would be
    /// looked at; a thousand million with CONVERT_CASES=2.
    @Test func experiencesWithOneIDTakeNoMoreThanTheirVariations() throws {
        let count = inputSize(30_000, plain: 4_000)
        let variations = JSValue.array((0..<count).map { ["id": .integer($0), "key": "only"] })
        let others = (0..<count).map { index in
            experience("\(index)", ["id": "e", "variations": [["id": "none", "key": "v"]]])
        }
        let owner = experience("first", ["id": "e", "variations": variations])
        let project = Project(try config(["experiences": .array([owner] + others)]))
        #expect(project.experiences.foundVariation(0, of: project.experiences[count]) == nil)
        #expect(project.experiences.foundVariation(count - 1, of: project.experiences[0]) == count - 1)
    }

    @Test func messagesQuoteLittleOfAnID() throws {
        // A million with CONVERT_CASES=2.
        let id = JSValue.string(String(repeating: "i", count: inputSize(1_000_000, plain: 30_000)))
        let broken = JSValue.array((0..<200).map { _ in ["matching": [:]] })
        let graph: JSValue = ["OR": [["AND": [["OR_WHEN": broken]]]]]
        let exclusion: JSValue = [
            "OR": [["AND": [["OR_WHEN": [["rule_type": "bucketed_into_experience_key", "value": id]]]]]]
        ]
        let places: [JSObject] = [
            ["audiences": [["id": id, "rules": graph]]], ["locations": [["id": id, "rules": graph]]],
            ["segments": [["id": id, "rules": graph]]], ["goals": [["id": id, "rules": graph]]],
            ["experiences": [experience("e", ["id": id, "site_area": graph])]],
            ["audiences": .array(Array(repeating: ["id": id], count: 10))],
            ["locations": .array(Array(repeating: ["id": id], count: 10))],
            ["segments": .array(Array(repeating: ["id": id], count: 10))],
            ["audiences": .array(Array(repeating: ["id": "a", "rules": exclusion], count: 10))],
            [
                "experiences": .array(
                    Array(repeating: experience("e", ["id": id, "key": id, "audiences": [id]]), count: 10))
            ],
        ]
        for members in places {
            let diagnostics = Project(try config(members)).diagnostics
            #expect(diagnostics.count >= 10)
            #expect(diagnostics.allSatisfy { $0.description.utf8.count < 400 })
        }
    }

    @Test func patternsOfAConfigAreCompiledAsLongAsThereIsRoom() throws {
        let patterns = ["a+", "b{2}", "[", "c"]
        let room = try ["a+", "b{2}"].reduce(0) { try $0 + RegExp($1, flags: "i").footprint }
        let graph = rules(patterns.map { leaf("x", "regexMatches", .string($0)) })
        let members: JSObject = [
            "audiences": [["id": "a", "rules": graph]], "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        let config = try config(members)
        func project(_ room: Int) -> Project {
            Project(ProjectCompiler(config, options: CompilationOptions(), patternMemory: room))
        }
        func matches(_ text: String, room: Int) -> Bool {
            let manager = ExperienceManager(project: project(room), environment: "staging")
            return manager.decide("e", ["x": .string(text)]).variation != nil
        }
        #expect(["a", "bb", "c"].map { matches($0, room: room + 10_000) } == [true, true, true])
        #expect(["a", "bb", "c"].map { matches($0, room: room) } == [true, true, false])
        #expect(["a", "bb", "c"].map { matches($0, room: room - 1) } == [true, false, false])
        let diagnostics = project(room).diagnostics.map(\.description)
        #expect(
            diagnostics.contains {
                $0.contains("OR_WHEN[3].value: audience a: ") && $0.contains("\(ConfigLimits.patternMemory)")
            })
    }

    @Test(arguments: [("[", nil), ("c", .audienceNotMatched)] as [(String, Decision.Reason?)])
    func underFlatANegatedInvalidPatternHoldsUnlessBeyondALimit(pattern: String, reason: Decision.Reason?) throws {
        let graph = rules([leaf("x", "regexMatches", .string(pattern), negated: true)])
        let config = try config([
            "audiences": [["id": "a", "rules": graph]], "experiences": [experience("e", ["audiences": ["a"]])],
        ])
        let compiler = ProjectCompiler(config, options: CompilationOptions(semantics: .flat), patternMemory: 0)
        #expect(ExperienceManager(project: Project(compiler)).decide("e", ["x": "text"]).reason == reason)
    }

    /// Each of the patterns comes to some hundred thousand bytes.
    @Test func aPatternCountsWithItsRepetitionsWrittenOut() throws {
        var patterns = PatternTable(room: 1_000_000)
        let repeated = String(repeating: "(?:ab){500}", count: 18)
        let refused = (0..<100).filter { index in
            if case .failure = patterns.compile(PropertyKey("\(index)" + repeated)) { true } else { false }
        }
        #expect(refused.count > 80)
        #expect(patterns.compiled.reduce(0) { $0 + $1.footprint } <= 1_000_000)
    }

    @Test func invalidPatternsCountToo() {
        var patterns = PatternTable(room: 10_000)
        let broken = String(repeating: "a", count: 1_000) + "("
        let failures = (0..<3).map { index -> PatternTable.Failure? in
            if case .failure(let failure) = patterns.compile(PropertyKey("\(index)" + broken)) { failure } else { nil }
        }
        #expect(failures.map { $0?.isSyntax } == [true, true, false])
    }

    @Test func theValuesOfAllJSONInTextAreBounded() throws {
        // In this order.
        let document: JSValue = [
            "account_id": "1", "project": ["id": "2"],
            "features": [feature("7", "f", ["x": "json", "y": "json"])],
            "experiences": [
                carrier("a", of: ["7"], ["x": "[1,2]", "y": "[[]]"]), carrier("b", of: ["7"], ["x": "{}"]),
            ],
        ]
        let config = try ProjectConfig(document)
        func values(_ room: Int) throws -> (JSValue?, [String]) {
            let project = Project(ProjectCompiler(config, options: CompilationOptions(), variableValues: room))
            let cast = project.features.carried.compactMap(\.castVariables)
            return (.array(cast), project.diagnostics.map(\.path))
        }
        let all: JSValue = [["x": [1, 2], "y": [[]]], ["x": [:]]]
        #expect(try values(6) == (all, []))
        #expect(try values(5) == ([["x": [1, 2], "y": [[]]], ["x": "{}"]], ["$.experiences[1].variations"]))
        #expect(try values(4) == ([["x": [1, 2], "y": "[[]]"], ["x": [:]]], ["$.experiences[0].variations"]))
    }

    @Test func jsonInTextCountsAsOftenAsItIsCarried() throws {
        let document: JSValue = [
            "account_id": "1", "project": ["id": "2"], "features": [feature("7", "f", ["x": "json"])],
            "experiences": .array(["a", "b", "c"].map { carrier($0, of: ["7"], ["x": "[1,2]"]) }),
        ]
        let config = try ProjectConfig(document)
        func values(_ room: Int) throws -> [JSValue] {
            let project = Project(ProjectCompiler(config, options: CompilationOptions(), variableValues: room))
            return project.features.carried.compactMap(\.castVariables)
        }
        #expect(try values(9) == [["x": [1, 2]], ["x": [1, 2]], ["x": [1, 2]]])
        #expect(try values(8) == [["x": [1, 2]], ["x": [1, 2]], ["x": "[1,2]"]])
        #expect(try values(5) == [["x": [1, 2]], ["x": "[1,2]"], ["x": "[1,2]"]])
    }
}
