@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// What is probably meant otherwise, beyond the spelling of values.
struct SlipsTests {
    private func findings(_ config: JSObject) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(config))
    }

    private func findings(_ conditions: JSValue...) throws -> [LintFinding] {
        try findings(Configs.audienceConfig(Configs.rules(conditions.map { [[$0]] })))
    }

    @Test func whatOnlyLooksLikeASlipIsNotSuspicious() throws {
        for (matchType, value) in SuspicionsTests.soundLookAlikes {
            let found = try findings(Configs.leaf("p", matchType, value)).filter { $0.severity == .suspicious }
            #expect(found.isEmpty, "\(matchType): \(found)")
        }
        // An address is given as it is encoded.
        #expect(try findings(Configs.leaf("url", "contains", "/new%20york")).isEmpty)
    }

    @Test(arguments: [
        ("(?P<n>a)b", "(?<n>a)b"), ("(?i)abc", "abc"), ("(?>a)b", "(?:a)b"), ("(?P<n>a)(?P=n)", "(?<n>a)\\k<n>"),
        ("^a++$", "^a+$"), ("a(?#note)b", "ab"),
    ])
    func aPatternOfAnotherDialectIsTranslated(pattern: String, translation: String) throws {
        let found = try findings(Configs.leaf("p", "regexMatches", .string(pattern)))
        let invalid = try #require(found.first { $0.code == .invalidPattern }, "\(found)")
        #expect(invalid.edit?.value == .string(translation))
        #expect(invalid.remedy.contains("patterns ignore case anyway") == (pattern == "(?i)abc"))
    }

    /// Members under the names that other services give them, and where they belong.
    static let foreignMembers: [(path: String, hint: String, config: JSObject)] = {
        let change: JSValue = ["type": "fullStackFeature", "data": ["feature_id": "7", "variables": ["size": 1]]]
        var leaf = SeededDefectsTests.plan.objectValue ?? JSObject()
        leaf["key"] = nil
        leaf["attribute"] = "plan"
        let rules = Configs.all(SeededDefectsTests.plan)
        return [
            (
                "$.experiences[0].variations[0].changes[0].data.variables", "variables_data",
                SeededDefectsTests.variations(Configs.variation("1", "a", 100, ["changes": [change]]))
            ),
            (SeededDefectsTests.leafPath + ".attribute", "key", Configs.audienceConfig(Configs.all(.object(leaf)))),
            (
                "$.audiences[0].conditions", "rules",
                Configs.config(["audiences": [["id": "5", "key": "a", "conditions": rules]]])
            ),
            (
                "$.features[0].data", "variables",
                Configs.config(["features": [["id": "7", "key": "box", "data": ["variables": []]]]])
            ),
            (
                "$.experiences[0].targeting", "audiences",
                {
                    var config = SeededDefectsTests.experience(["targeting": ["5"]])
                    var experience = config["experiences"]?.arrayValue?[0].objectValue ?? JSObject()
                    experience["audiences"] = nil
                    config["experiences"] = [.object(experience)]
                    return config
                }()
            ),
        ]
    }()

    @Test(arguments: foreignMembers.indices)
    func aMemberUnderAnotherNameIsAWarning(index: Int) throws {
        let (path, hint, config) = Self.foreignMembers[index]
        let found = try findings(config).first { $0.path == path && $0.code == .unreadMember }
        #expect(found?.severity == .warning && found?.remedy == "Did you mean '\(hint)'?")
    }

    @Test(arguments: ["end_date", "startDate", "prerequisites", "holdout"])
    func aMemberThatKeepsNoVisitorOutIsAWarning(name: String) throws {
        let found = try findings(SeededDefectsTests.experience([name: "2020-01-01"]))
        let member = found.first { $0.path == "$.experiences[0].\(name)" }
        #expect(member?.code == .unreadMember && member?.severity == .warning)
    }

    @Test(arguments: [
        ("generic_numeric_key_value", "abc", true), ("generic_numeric_key_value", "12", false),
        ("generic_bool_key_value", "yes", true), ("generic_bool_key_value", "TRUE", false),
        ("generic_text_key_value", "yes", false),
    ])
    func aValueThatItsRuleTypeDoesNotHaveIsAWarning(type: String, value: String, isFound: Bool) throws {
        let found = try findings(Configs.leaf("p", "equals", .string(value), type: type))
        #expect(
            found.contains { $0.code == .readOtherwise && $0.path == SeededDefectsTests.leafPath + ".value" } == isFound
        )
    }

    @Test(arguments: [(["production"], true), (["production", "staging"], false), ([], false)])
    func aListOfSomeEnvironmentsRestrictsNoVisitor(names: [String], isFound: Bool) throws {
        let list = JSValue.array(names.map { .string($0) })
        let path = "$.experiences[0].environments"
        let found = try findings(SeededDefectsTests.experience(["environment": .null, "environments": list]))
        #expect(found.contains { $0.path == path && $0.code == .readOtherwise } == isFound)
        let named = try findings(SeededDefectsTests.experience(["environment": "production", "environments": list]))
        #expect(!named.contains { $0.path == path })
    }

    @Test(arguments: ["active", "running", "live", "Active", "on"])
    func aStatusOfARunningExperienceIsNoFinding(status: String) throws {
        #expect(try findings(SeededDefectsTests.experience(["status": .string(status)])).isEmpty)
    }

    @Test func aMemberThatStandsTwiceIsAWarning() throws {
        func path(replacing text: String, by other: String) throws -> String? {
            let json = String(
                decoding: Configs.data(Configs.audienceConfig(Configs.all(SeededDefectsTests.plan))), as: UTF8.self)
            let found = try ConfigLint().findings(in: Data(json.replacing(text, with: other).utf8))
            return found.first { $0.code == .readOtherwise && $0.severity == .warning }?.path
        }
        #expect(try path(replacing: #""segments":[]"#, by: #""segments":[],"goals":[]"#) == "$.goals")
        #expect(
            try path(replacing: #""negated":false"#, by: #""negated":true,"negated":false"#)
                == SeededDefectsTests.leafPath + ".matching.negated")
        #expect(try path(replacing: #""segments":[]"#, by: #""segments":[]"#) == nil)
    }

    @Test(arguments: ["enabled", "active", "isActive"])
    func aMemberThatSwitchesNothingOffIsAWarning(name: String) throws {
        let found = try findings(SeededDefectsTests.experience([PropertyKey(name).name: false]))
        let member = found.first { $0.path == "$.experiences[0].\(name)" }
        #expect(member?.severity == .warning && member?.code == .unreadMember)
        let on = try findings(SeededDefectsTests.experience([name: true]))
        #expect(on.first { $0.path == "$.experiences[0].\(name)" }?.severity == .note)
    }

    @Test func oneIDOfAnAudienceAndASegmentIsAWarning() throws {
        let rules = Configs.all(SeededDefectsTests.plan)
        let config = Configs.audienceConfig(rules, ["segments": [["id": "5", "key": "s", "rules": rules]]])
        let found = try findings(config).first { $0.code == .duplicateID }
        #expect(found?.path == "$.segments[0].id" && found?.severity == .warning)
    }

    @Test func namesWithBlanksAroundThemAreSuspected() throws {
        let config = Configs.config([
            "features": [["id": "7", "key": "box", "variables": [["key": "size ", "type": "integer"]]]],
            "experiences": [
                .object(Configs.experience("a", id: "10", ["environments": ["production "]])),
                .object(Configs.experience("b", id: "11", ["environment": " staging"])),
            ],
        ])
        let paths = try findings(config).filter { $0.code == .outerBlanks }.map(\.path)
        #expect(
            Set(paths) == [
                "$.features[0].variables[0].key", "$.experiences[0].environments[0]", "$.experiences[1].environment",
            ])
    }

    @Test(arguments: [
        ([0.25, 0.25], true), ([0.5], true), ([0.5, 0.3, 0.2], true), ([0.01], false), ([25, 25], false), ([1], false),
    ])
    func allocationsThatLookLikeFractionsAreSuspected(shares: [Double], isSuspected: Bool) throws {
        let variations = shares.enumerated().map { index, share in
            JSValue.object(Configs.variation("\(index)", "v\(index)", .number(share)))
        }
        let found = try findings(SeededDefectsTests.experience(["variations": .array(variations)]))
        #expect(found.contains { $0.code == .fractionalAllocation } == isSuspected)
    }

    @Test func goalsAndSegmentsThatNothingUsesAreSuspected() throws {
        let goal: JSValue = ["id": "91", "key": "signup", "name": "S", "type": "revenue"]
        let segment: JSValue = ["id": "40", "key": "vip", "rules": Configs.all(SeededDefectsTests.plan)]
        let config = Configs.config([
            "goals": [["id": "90", "key": "order", "name": "O", "type": "revenue"], goal], "segments": [segment],
        ])
        let paths = try findings(config).filter { $0.code == .unattached }.map(\.path)
        #expect(Set(paths) == ["$.goals[1]", "$.segments[0]"])
    }

    @Test func keysThatAreNearlyAlikeAreSuspected() throws {
        func isSuspected(_ first: String, _ second: String) throws -> Bool {
            let config = Configs.config([
                "experiences": [
                    .object(Configs.experience(first, id: "10")), .object(Configs.experience(second, id: "11")),
                ]
            ])
            return try findings(config).contains { $0.code == .similarNames }
        }
        for (first, second) in [
            ("new_checkout", "newCheckout"), ("new_checkout", "new-checkout"), ("shipping", "shiping"),
            ("checkout", "chekcout"), ("caf\u{E9}", "cafe\u{301}"),
        ] {
            #expect(try isSuspected(first, second), "\(first), \(second)")
        }
        for (first, second) in [
            ("test-a", "test-b"), ("checkout-1", "checkout-2"), ("order", "orders"), ("header", "reader"),
            ("checkout", "checkouts"), ("audience-123", "audience-213"),
        ] {
            #expect(try !isSuspected(first, second), "\(first), \(second)")
        }
    }

    @Test func namesOfLocationPropertiesAreComparedToo() throws {
        let rules = Configs.rules([
            [[Configs.leaf("page_type", "equals", "a")]], [[Configs.leaf("pageType", "equals", "b")]],
        ])
        let config = Configs.config([
            "locations": [Configs.audience("8", rules)],
            "experiences": [.object(Configs.experience("a", id: "10", ["locations": ["8"]]))],
        ])
        #expect(try findings(config).contains { $0.code == .similarNames })
    }

    @Test func aVersionIsNoNumber() throws {
        let json = String(
            decoding: Configs.data(Configs.audienceConfig(Configs.all(Configs.leaf("app_version", "less", 210)))),
            as: UTF8.self
        ).replacing(#""value":210"#, with: #""value":2.10"#)
        let found = try ConfigLint().findings(in: Data(json.utf8)).first { $0.code == .versionAsNumber }
        #expect(found?.witness?.attributes["app_version"] == "2.9")
        let text = try findings(Configs.leaf("app_version", "lessEqual", "2.5")).first { $0.code == .versionAsNumber }
        #expect(text?.witness?.attributes["app_version"] == "2.10")
        #expect(try !findings(Configs.leaf("app_version", "less", 3)).contains { $0.code == .versionAsNumber })
    }

    @Test func secondsAreNoMilliseconds() throws {
        let found = try findings(
            Configs.leaf("seen_at", "less", 1_760_000_000), Configs.leaf("seen_at", "less", 1_760_000_000_000)
        ).first { $0.code == .mixedTimeUnits }
        #expect(found?.path == "$.audiences[0].rules.OR[1].AND[0].OR_WHEN[0].value")
    }

    @Test func aDateIsNoNumberOfSeconds() throws {
        let found = try findings(
            Configs.leaf("signup", "less", "2026-03-01"), Configs.leaf("signup", "less", 1_772_000_000)
        ).first { $0.code == .mixedTimeUnits }
        #expect(found?.path == "$.audiences[0].rules.OR[1].AND[0].OR_WHEN[0].value")
        #expect(found?.message.contains("seconds here and with a date at") == true)
    }

    @Test(arguments: [("Y", "yes", true), ("n", "no", true), ("yes", "no", false), ("active", "disabled", false)])
    func anAbbreviatedFlagIsSuspected(first: String, second: String, isFound: Bool) throws {
        let found = try findings(
            Configs.leaf("beta", "equals", .string(first)), Configs.leaf("beta", "equals", .string(second))
        ).first { $0.code == .mixedFlags }
        #expect((found?.path == "$.audiences[0].rules.OR[0].AND[0].OR_WHEN[0].value") == isFound)
        #expect(found?.witness?.attributes["beta"] == (isFound ? JSValue.string(second) : nil))
    }

    @Test(arguments: [("equals", "age", true), ("equals", "age_group", false), ("isIn", "age", false)])
    func aRangeOfNumbersIsNoText(matchType: String, key: String, isFound: Bool) throws {
        let found = try findings(Configs.leaf(key, matchType, "18-25"))
        #expect(found.contains { $0.code == .literalPattern } == isFound)
        let typed = try findings(Configs.leaf("limit", "equals", "18-25", type: "generic_numeric_key_value"))
        #expect(typed.contains { $0.code == .readOtherwise })
    }

    @Test(arguments: [
        ("[1-12]", "(?:[1-9]|1[0-2])"), ("[0-255]", "(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])"),
        ("[18-99]", "(?:1[8-9]|[2-9][0-9])"), ("[1-100]", "(?:[1-9]|[1-9][0-9]|100)"),
    ])
    func aRangeOfNumbersInBracketsIsWrittenOut(pattern: String, meant: String) throws {
        let found = try findings(Configs.leaf("p", "regexMatches", .string("^\(pattern)$")))
        #expect(found.first { $0.code == .loosePattern }?.edit?.value == .string("^\(meant)$"))
    }

    @Test(arguments: ["<plan>", "[plan]", ":plan", "@plan"])
    func theNameOfTheAttributeInMarksIsAPlaceholder(value: String) throws {
        func isFound(_ key: String) throws -> Bool {
            try findings(Configs.leaf(key, "equals", .string(value))).contains { $0.code == .literalPattern }
        }
        #expect(try isFound("plan") && !isFound("handle"))
    }

    @Test func aFeatureThatDoesNotDependOnTheVariationIsSuspected() throws {
        func carrying(_ size: JSValue, _ color: JSValue) -> JSObject {
            func change(_ id: String, _ name: String, _ value: JSValue) -> JSValue {
                [
                    "type": "fullStackFeature",
                    "data": ["feature_id": .string(id), "variables_data": .object([name: value])],
                ]
            }
            return ["changes": [change("7", "size", size), change("8", "color", color)]]
        }
        func isSuspected(_ first: JSObject, _ second: JSObject) throws -> Bool {
            let config = Configs.config([
                "features": [
                    ["id": "7", "key": "box", "variables": [["key": "size", "type": "integer"]]],
                    ["id": "8", "key": "paint", "variables": [["key": "color", "type": "string"]]],
                ],
                "experiences": [
                    .object(
                        Configs.experience(
                            "a", id: "10",
                            [
                                "variations": [
                                    .object(Configs.variation("1", "a", 50, first)),
                                    .object(Configs.variation("2", "b", 50, second)),
                                ]
                            ]))
                ],
            ])
            return try findings(config).contains { $0.code == .constantFeature }
        }
        #expect(try isSuspected(carrying(1, "red"), carrying(2, "red")))
        #expect(try !isSuspected(carrying(1, "red"), carrying(2, "blue")))
    }
}
