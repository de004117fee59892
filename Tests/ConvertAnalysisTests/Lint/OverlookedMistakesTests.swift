@testable import ConvertAnalysis
import ConvertTestSupport
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Mistakes of whole configs, each found as one finding, with what follows from it behind it.
struct OverlookedMistakesTests {
    private func findings(_ config: JSObject) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(config))
    }

    private func findings(ofLeaf leaf: JSValue) throws -> [LintFinding] {
        try findings(Configs.audienceConfig(Configs.all(leaf)))
    }

    private static let shop: JSObject = Configs.config([
        "features": [["id": "7", "key": "box", "name": "Box", "variables": []]],
        "audiences": [
            Configs.audience("5", Configs.all(SeededDefectsTests.plan)),
            Configs.audience(
                "6",
                Configs.all(Configs.leaf("x", "equals", "first", negated: true, type: "bucketed_into_experience_key"))),
        ],
        "experiences": [
            .object(Configs.experience("first", id: "10", ["audiences": ["5"]])),
            .object(Configs.experience("second", id: "11", ["audiences": ["6"]])),
        ],
    ])

    @Test func aConfigWhoseExperiencesHaveAnotherNameFailsWithOneCause() throws {
        var config = Self.shop
        config["experiments"] = config["experiences"]
        config["experiences"] = nil
        let found = try findings(config)
        let causes = found.filter { $0.because == nil }
        #expect(causes.map(\.path) == ["$.experiments"] && causes.first?.severity == .error, "\(causes)")
        #expect(causes.first?.remedy == "Did you mean 'experiences'?")
        #expect(found.contains { $0.code == .unknownReference } && found.contains { $0.code == .featureUnused })
    }

    @Test func aMemberThatHoldsNoEntitiesIsNoMissingList() throws {
        var config = Self.shop
        config["goals"] = nil
        config["events"] = "https://example.com"
        #expect(try findings(config).first { $0.path == "$.events" }?.severity == .warning)
    }

    @Test func aNumberKeepsItsSignInTheRemedy() throws {
        let found = try findings(ofLeaf: Configs.leaf("temperature", "less", "-5 %"))
        #expect(found.contains { $0.remedy.hasSuffix("such as -5.") }, "\(found.map(\.remedy))")
    }

    @Test func whatNothingUsesFollowsFromAnArchiveThatIsNoList() throws {
        var config = Self.shop
        config["archived_experiences"] = "10,11"
        #expect(try findings(config).filter { $0.because == nil }.map(\.path) == ["$.archived_experiences"])
    }

    @Test func aCopyWithTheSameVariationsIsFound() throws {
        let variations = Configs.experience("first", id: "10")["variations"] ?? .null
        let config = Configs.config([
            "experiences": [
                .object(Configs.experience("first", id: "10")),
                .object(Configs.experience("copy", id: "11", ["variations": variations])),
            ]
        ])
        let found = try findings(config).first { $0.code == .duplicateID }
        #expect(found?.path == "$.experiences[1].variations[0].id" && found?.severity == .warning)
        #expect(found?.message.hasPrefix("All variations of experience 'copy' have ids of experience 'first'") == true)
    }

    @Test func aKeyOfAFeatureAndOfAnExperienceIsFound() throws {
        var config = Self.shop
        config["features"] = [["id": "7", "key": "first", "name": "Box", "variables": []]]
        #expect(try findings(config).contains { $0.code == .duplicateKey && $0.path == "$.experiences[0].key" })
    }

    @Test func aSiteAreaBesideLocationsIsFound() throws {
        let rules = Configs.all(Configs.leaf("path", "equals", "/"))
        let config = Configs.config([
            "locations": [["id": "3", "key": "home", "name": "Home", "rules": rules]],
            "experiences": [.object(Configs.experience("e", id: "10", ["locations": ["3"], "site_area": rules]))],
        ])
        let found = try findings(config).first { $0.code == .unreadMember }
        #expect(found?.path == "$.experiences[0].site_area" && found?.severity == .warning)
    }

    @Test func environmentsThatAreObjectsAreFound() throws {
        let config = Configs.config([
            "project": ["id": "2", "environments": [["name": "staging"], ["name": "production"]]],
            "experiences": [.object(Configs.experience("e", id: "10", ["environment": "production"]))],
        ])
        let found = try findings(config).filter { $0.severity <= .warning }
        #expect(found.map(\.path) == ["$.project.environments[0]"], "\(found)")
    }

    @Test func anExclusionAcrossEnvironmentsIsFound() throws {
        var config = Self.shop
        config["experiences"] = [
            .object(Configs.experience("first", id: "10", ["audiences": ["5"], "environment": "production"])),
            .object(Configs.experience("second", id: "11", ["audiences": ["6"], "environment": "staging"])),
        ]
        let found = try findings(config).first { $0.code == .exclusionOrder }
        #expect(found?.path == "$.experiences[1].audiences[0]")
        #expect(found?.message.hasSuffix("no visitor is in both.") == true)
    }

    @Test(arguments: [JSValue.string("first|second"), ["first", "second"], "first, second"])
    func anExclusionOfSeveralExperiencesIsFound(value: JSValue) throws {
        var config = Self.shop
        config["audiences"] = [
            Configs.audience("5", Configs.all(SeededDefectsTests.plan)),
            Configs.audience(
                "6",
                Configs.all(Configs.leaf("x", "equals", value, negated: true, type: "bucketed_into_experience_key"))),
        ]
        let found = try findings(config).first { $0.code == .unknownReference }
        #expect(
            found?.message.hasPrefix("An audience can ask about one experience only. The list of 'first' and 'second'")
                == true)
        #expect(found?.remedy.hasPrefix("Make an audience for each of them") == true)
    }

    @Test(
        arguments: [
            ("10k", "such as 10."), ("€10", "such as 10."), ("5%", "such as 5."), (" 18", "such as 18."),
            ("three", "Write a number."), ("-", "Write a number."), ("01/03/2026", "such as \"2026-03-01\"."),
        ])
    func aNumberWithSomethingBesideItHasOneCause(value: String, remedy: String) throws {
        let leaf = Configs.leaf("age", "less", .string(value), type: "generic_numeric_key_value")
        let found = try findings(ofLeaf: leaf).filter { $0.path.hasPrefix(SeededDefectsTests.leafPath) }
        let note = found.first { $0.code == .incomparableValue }
        #expect(note?.remedy.hasSuffix(remedy) == true, "\(found)")
        #expect(found.count { $0.because == nil && $0.severity == .warning } == 1, "\(found)")
    }

    @Test func aValueOfAnotherTypeThanItsRuleTypeIsFound() throws {
        for (type, value) in [("is_mobile", "mobile"), ("local_time_day_of_week", "Monday")] {
            let found = try findings(ofLeaf: Configs.leaf("x", "equals", .string(value), type: type))
            #expect(found.contains { $0.code == .readOtherwise && $0.path.hasSuffix(".value") }, "\(type)")
        }
    }

    @Test func anAttributeWithAPathIsFound() throws {
        let found = try findings(ofLeaf: Configs.leaf("attributes.plan", "equals", "pro")).first {
            $0.path.hasSuffix(".key")
        }
        #expect(found?.remedy == "Write 'plan', if that attribute is meant.")
    }

    @Test func aVariableThatOneVariationLacksIsFound() throws {
        func variation(_ id: String, _ values: JSObject) -> JSValue {
            let data: JSValue = ["feature_id": "7", "variables_data": .object(values)]
            return .object(
                Configs.variation(id, id, 50, ["changes": [["id": 1, "type": "fullStackFeature", "data": data]]]))
        }
        let variables: JSValue = [["key": "size", "type": "integer"], ["key": "label", "type": "string"]]
        let config = Configs.config([
            "features": [["id": "7", "key": "box", "name": "Box", "variables": variables]],
            "experiences": [
                .object(
                    Configs.experience(
                        "e", id: "10",
                        ["variations": [variation("a", ["size": 1, "label": "x"]), variation("b", ["size": 2])]]))
            ],
        ])
        let found = try findings(config).filter { $0.severity == .suspicious }
        #expect(found.map(\.code) == [.missingVariable] && found[0].path == "$.experiences[0].variations[1].changes")
        #expect(found[0].message.contains("without the variable 'label'"))
    }

    @Test func rulesOfAnotherShapeAreNamed() throws {
        func found(_ rules: JSValue) throws -> [LintFinding] {
            try findings(Configs.audienceConfig(rules)).filter { $0.because == nil }
        }
        let group: JSValue = ["AND": [["OR_WHEN": [SeededDefectsTests.plan]]]]
        let text = try found("plan is pro")
        #expect(
            text.map(\.message) == [
                "\"plan is pro\" stands where an object with OR is expected: audience 'audience-5' never matches."
            ])
        let list = try found([group])
        #expect(list.map(\.remedy) == ["Put the list into an object: {\"OR\": [ … ]}."])
        let lower = try found(["or": [group]])
        #expect(lower.map(\.path) == ["$.audiences[0].rules.or"], "\(lower)")
    }

    @Test func lettersThatLookAlikeAreSpelledOut() throws {
        for (value, shown) in [("pro\u{A0}plan", "pro\\u{00A0}plan"), ("pr\u{43E}", "pr\\u{043E}")] {
            let found = try findings(ofLeaf: Configs.leaf("plan", "equals", .string(value))).first {
                $0.code == .lookAlikeLetters
            }
            #expect(found?.message.hasSuffix("\"\(shown)\" matches.") == true, "\(found?.message ?? "")")
        }
    }

    @Test func variablesThatAreNoListExplainThatNoneIsDeclared() throws {
        let change: JSValue = [
            "id": 1, "type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": ["size": 1]],
        ]
        let config = Configs.config([
            "features": [["id": "7", "key": "box", "name": "Box", "variables": ["size": "integer"]]],
            "experiences": [
                .object(
                    Configs.experience(
                        "e", id: "10",
                        ["variations": [.object(Configs.variation("1", "a", 100, ["changes": [change]]))]]))
            ],
        ])
        let found = try findings(config)
        #expect(found.filter { $0.because == nil }.map(\.path) == ["$.features[0].variables"], "\(found)")
    }

    @Test func variationsThatAreNoListExplainThatThereAreNone() throws {
        let found = try findings(SeededDefectsTests.experience(["variations": ["a": 50, "b": 50]]))
        #expect(found.filter { $0.because == nil }.map(\.code) == [.readOtherwise], "\(found)")
    }

    @Test func anOperatorBesideMatchingIsTheCause() throws {
        var leaf = SeededDefectsTests.plan.objectValue ?? JSObject()
        leaf["matching"] = nil
        leaf["match_type"] = "equals"
        leaf["negated"] = false
        let found = try findings(ofLeaf: .object(leaf)).filter { $0.because == nil }
        #expect(found.count == 1, "\(found)")
    }

    @Test(arguments: ["9007199254740993", "12345678901234567890"])
    func aWholeNumberThatIsRoundedIsFound(value: String) throws {
        let change: JSValue = [
            "id": 1, "type": "fullStackFeature",
            "data": ["feature_id": "7", "variables_data": ["size": .string(value)]],
        ]
        let config = Configs.config([
            "features": [["id": "7", "key": "box", "name": "Box", "variables": [["key": "size", "type": "integer"]]]],
            "experiences": [
                .object(
                    Configs.experience(
                        "e", id: "10",
                        ["variations": [.object(Configs.variation("1", "a", 100, ["changes": [change]]))]]))
            ],
        ])
        let found = try findings(config).first { $0.code == .variableCast }
        #expect(found?.message.contains("numbers beyond 9007199254740991 are rounded") == true)
    }

    /// Of experiences that all exclude one another, each asks about those that are decided later.
    @Test func manyExperiencesThatExcludeOneAnotherAreRead() throws {
        // More than are examined as one ring.
        let count = inputSize(120, plain: 66)
        let audiences = (0..<count).map { index in
            Configs.audience(
                "a\(index)",
                Configs.all(
                    Configs.leaf(
                        "x", "equals", .string("e\(index)"), negated: true, type: "bucketed_into_experience_key")))
        }
        let experiences = (0..<count).map { index in
            JSValue.object(
                Configs.experience(
                    "e\(index)", id: "1\(index)",
                    [
                        "audiences": .array((0..<count).filter { $0 != index }.map { .string("a\($0)") }),
                        "settings": ["matching_options": ["audiences": "all"]],
                    ]))
        }
        let config = Configs.config(["audiences": .array(audiences), "experiences": .array(experiences)])
        let found = try findings(config)
        let order = found.first { $0.code == .exclusionOrder }
        #expect(order?.path == "$.experiences[0].audiences[0]" && found.last?.code == .moreFindings)
        // The first one takes every visitor, so that no other one is entered.
        let starved = found.filter { $0.code == .experienceUnreachable }.map(\.path)
        #expect(starved.count == count - 1 && !starved.contains("$.experiences[0]"))
    }
}
