@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// What does what it says and was probably meant otherwise.
struct SuspicionsTests {
    struct Suspicion: Sendable, CustomTestStringConvertible {
        let code: LintCode
        let matchType: String
        let value: JSValue
        /// Values of a visitor that is not matched and of one that is; `nil` if the finding has no such visitor.
        var lost: JSValue?
        var matched: JSValue?

        init(
            _ code: LintCode, _ matchType: String, _ value: JSValue, lost: JSValue? = nil, matched: JSValue? = nil
        ) {
            self.code = code
            self.matchType = matchType
            self.value = value
            self.lost = lost
            self.matched = matched
        }

        var testDescription: String { "\(matchType) \(ECMAScript.jsonText(of: value))" }
    }

    private func findings(_ conditions: JSValue..., changes: JSObject = JSObject()) throws -> [LintFinding] {
        let groups = conditions.map { [[$0]] }
        return try ConfigLint().findings(
            in: Configs.data(Configs.audienceConfig(Configs.rules(groups), changes)))
    }

    /// The engine itself is asked about both visitors.
    @Test(arguments: lists + patterns + texts + slips)
    func twoVisitorsShowWhatIsMatchedAndWhatIsNot(suspicion: Suspicion) throws {
        let findings = try findings(Configs.leaf("p", suspicion.matchType, suspicion.value))
        let finding = try #require(findings.first { $0.code == suspicion.code }, "\(findings)")
        #expect(finding.severity == .suspicious)
        #expect(finding.path.hasPrefix(SeededDefectsTests.leafPath))
        guard let lost = suspicion.lost, let matched = suspicion.matched else { return }
        #expect(finding.witness?.attributes["p"] == lost)
        #expect(finding.contrast?.attributes["p"] == matched)
        let condition = RuleCondition(key: "p", matchType: suspicion.matchType, value: suspicion.value)
        let rules = TriedRules([RuleGroup(clauses: [[condition]])], .standard)
        #expect(!rules.areMet(by: ["p": lost]) && rules.areMet(by: ["p": matched]))
    }

    /// The message says of both visitors what the engine answers, negation included.
    @Test(arguments: (lists + patterns + texts + slips).filter { $0.lost != nil })
    func aNegatedConditionIsSpokenOfAsNegated(suspicion: Suspicion) throws {
        let findings = try findings(Configs.leaf("p", suspicion.matchType, suspicion.value, negated: true))
        let finding = try #require(findings.first { $0.code == suspicion.code }, "\(findings)")
        let condition = RuleCondition(
            key: "p", matchType: suspicion.matchType, value: suspicion.value, negation: true)
        let rules = TriedRules([RuleGroup(clauses: [[condition]])], .standard)
        let witness = try #require(finding.witness?.attributes["p"])
        #expect(rules.areMet(by: ["p": witness]))
        let text = ECMAScript.jsonText(of: witness)
        let shown = suspicion.code == .lookAlikeLetters ? text.spelledOut : text
        #expect(finding.message.contains("\(shown) matches"), "\(finding.message)")
        guard let contrast = finding.contrast else { return }
        #expect(!rules.areMet(by: contrast.attributes) && finding.message.contains("does not match"))
    }

    /// Where only visitors are matched that were not meant, another one shows the opposite.
    @Test(arguments: (lists + patterns + texts + slips).filter { $0.lost == nil }, [false, true])
    func everySuspicionThatShowsAVisitorHasAPair(suspicion: Suspicion, isNegated: Bool) throws {
        let value = suspicion.value
        let findings = try findings(Configs.leaf("p", suspicion.matchType, value, negated: isNegated))
        let finding = try #require(findings.first { $0.code == suspicion.code }, "\(findings)")
        // A pattern that matches no text has no such visitor.
        guard let witness = finding.witness, !findings.contains(where: { $0.code == .emptyPattern }) else { return }
        let contrast = try #require(finding.contrast, "\(finding.message)")
        let condition = RuleCondition(key: "p", matchType: suspicion.matchType, value: value, negation: isNegated)
        let rules = TriedRules([RuleGroup(clauses: [[condition]])], .standard)
        #expect(rules.areMet(by: witness.attributes) != rules.areMet(by: contrast.attributes))
    }

    @Test func aVersionAndAFlagAreSpokenOfAsNegated() throws {
        let version = try findings(Configs.leaf("app_version", "less", "2.10", negated: true))
            .first { $0.code == .versionAsNumber }
        #expect(version?.message.hasSuffix(#""2.9" is a version before it, and matches."#) == true)
        let flag = try findings(
            Configs.leaf("beta", "equals", true), Configs.leaf("beta", "equals", "yes", negated: true)
        )
        .first { $0.code == .mixedFlags }
        #expect(flag?.message.hasSuffix("a visitor with true matches here.") == true)
    }

    @Test func aPlainConditionIsNotSuspicious() throws {
        let sound: [(String, JSValue)] = [
            ("isIn", "de|at"), ("isIn", ["de", "at"]), ("regexMatches", "colou?r"), ("regexMatches", "^(a|b)$"),
            ("regexMatches", "^a$|^b$"), ("regexMatches", "^$|b$"), ("regexMatches", "/p\\?id=1"),
            ("equals", "1.5"), ("equals", "007"), ("equals", "01.50"), ("equals", "+49"), ("equals", "1.0.0"),
            ("contains", "1.0"), ("equals", "12345678901234567890"),
            ("equals", "pro"), ("startsWith", "https://"), ("contains", "a.b"),
            ("equals", "what?"), ("regexMatches", "\\\\server"), ("regexMatches", "/shop/"), ("equals", "US$"),
            ("equals", "^"), ("equals", "***"), ("equals", "5 * 3"), ("regexMatches", "colou?r=red"),
            ("contains", "C:\\dir"), ("equals", "Hello, world"), ("equals", "1,000"), ("regexMatches", "a[[:]b"),
            ("regexMatches", "a{2,3}"), ("regexMatches", "new york|los angeles"), ("isIn", "new york|los angeles"),
            ("equals", "text/html"), ("equals", "Europe/Berlin"), ("equals", "AT&T"), ("equals", "n/a"),
            ("equals", "and/or"), ("equals", "a=1&b=2"), ("equals", "#red"), ("equals", "this or that thing"),
            ("regexMatches", "(^|,)de(,|$)"), ("regexMatches", "(a|b$)c"), ("regexMatches", "[a&&b]"),
            ("regexMatches", "(^a$|^b$)"), ("regexMatches", "\\b\u{430}\u{432}\u{442}\u{43E}"),
            ("equals", "\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}"), ("equals", "10\u{3BC}m"),
            ("equals", "k\u{3A9}"), ("equals", "caf\u{E9}"), ("equals", "100%"), ("equals", "R&D; sales"),
            ("equals", "{}"), ("equals", "<none>"), ("equals", ["de"]), ("regexMatches", "[a|b]"),
            ("regexMatches", "[de|at]+"), ("regexMatches", "\\[A-z"), ("regexMatches", "[A-Za-z]"),
            ("isIn", "text/html|text/plain"), ("isIn", "washington, dc|new york, ny"), ("isIn", "washington, dc"),
            ("regexMatches", "^w{3}\\."), ("equals", "AC/DC"), ("equals", "am/pm"), ("regexMatches", "^a\\(b\\)$"),
            ("regexMatches", "a\\|b"), ("regexMatches", "^ *de$"),
            ("equals", "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}"),
        ]
        for (matchType, value) in sound {
            let found = try findings(Configs.leaf("p", matchType, value)).filter { $0.severity == .suspicious }
            #expect(found.isEmpty, "\(matchType): \(found)")
        }
    }

    @Test func alternativesThatExcludeOneValueEachExcludeNone() throws {
        let (first, second) = (
            Configs.leaf("c", "equals", "de", negated: true), Configs.leaf("c", "equals", "at", negated: true)
        )
        let groups = try findings(first, second).first { $0.code == .negatedAlternatives }
        #expect(groups?.path == "$.audiences[0].rules.OR[1]")
        let config = Configs.audienceConfig(Configs.rules([[[first, second]]]))
        let clause = try ConfigLint().findings(in: Configs.data(config)).first { $0.code == .negatedAlternatives }
        #expect(clause?.path == "$.audiences[0].rules.OR[0].AND[0].OR_WHEN[1]")
        #expect(["de", "at"].contains(clause?.witness?.attributes["c"]))
        let plan = Configs.leaf("plan", "equals", "pro")
        let joint = Configs.audienceConfig(Configs.rules([[[first], [plan]], [[second], [plan]]]))
        #expect(
            try ConfigLint().findings(in: Configs.data(joint)).contains { $0.code == .negatedAlternatives })
        // Under these semantics all of a clause must hold.
        let flat = try ConfigLint(semantics: .flat).findings(in: Configs.data(config))
        #expect(!flat.contains { $0.code == .negatedAlternatives })
    }

    @Test func anAttributeWithBlanksAroundItsNameIsSuspected() throws {
        let found = try findings(Configs.leaf("plan ", "equals", "pro")).first { $0.code == .outerBlanks }
        #expect(found?.path == SeededDefectsTests.leafPath + ".key")
        #expect(found?.witness?.attributes["plan"] == "pro" && found?.contrast?.attributes["plan "] == "pro")
    }

    @Test func keysInTwoScriptsAreSuspected() throws {
        let config = Configs.config(["experiences": [.object(Configs.experience("f\u{456}rst", id: "10"))]])
        let found = try ConfigLint().findings(in: Configs.data(config)).first { $0.code == .lookAlikeLetters }
        #expect(found?.path == "$.experiences[0].key")
    }

    @Test func wordsBesideAValueAloneAreAlternatives() throws {
        func isSuspected(_ key: String, _ other: JSValue) throws -> Bool {
            try findings(Configs.leaf(key, "equals", "pro/team"), Configs.leaf(key, "equals", other))
                .contains { $0.code == .literalPattern }
        }
        #expect(try isSuspected("plan", "Pro") && !isSuspected("plan", "free"))
        #expect(try !isSuspected("page_path", "pro"))
    }

    @Test func audiencesOfWhichAnyIsEnoughExcludeNoVisitorEither() throws {
        func config(_ matching: JSValue) -> JSObject {
            Configs.config([
                "audiences": .array(
                    ["de", "at"].map { value in
                        Configs.audience(
                            "\(value)", Configs.all(Configs.leaf("c", "equals", .string(value), negated: true)))
                    }),
                "experiences": [
                    .object(
                        Configs.experience(
                            "checkout", id: "10",
                            [
                                "audiences": ["de", "at"],
                                "settings": ["matching_options": ["audiences": matching]],
                            ]))
                ],
            ])
        }
        let found = try ConfigLint().findings(in: Configs.data(config("any"))).first {
            $0.code == .negatedAlternatives
        }
        #expect(found?.path == "$.experiences[0].audiences[1]" && found?.witness != nil)
        let all = try ConfigLint().findings(in: Configs.data(config("all")))
        #expect(!all.contains { $0.code == .negatedAlternatives })
        // One that is the other's opposite lets in the rest.
        let opposites = Configs.config([
            "audiences": .array(
                [false, true].map { negated in
                    Configs.audience(
                        "\(negated)", Configs.all(Configs.leaf("plan", "equals", "pro", negated: negated)))
                }),
            "experiences": [
                .object(
                    Configs.experience(
                        "checkout", id: "10",
                        [
                            "audiences": ["false", "true"], "settings": ["matching_options": ["audiences": "any"]],
                        ]))
            ],
        ])
        let opposite = try ConfigLint().findings(in: Configs.data(opposites)).first { $0.code == .negatedAlternatives }
        #expect(opposite?.path == "$.experiences[0].audiences[1]")
    }

    @Test(arguments: [("any", true), ("all", false)])
    func anExclusionBesideOtherAudiencesNeedsAll(matching: JSValue, isSuspected: Bool) throws {
        let config = Configs.config([
            "audiences": [
                Configs.audience("pro", Configs.all(Configs.leaf("plan", "equals", "pro"))),
                Configs.audience(
                    "not-held-out",
                    Configs.all(
                        Configs.leaf(
                            "x", "equals", "holdout", negated: true, type: "bucketed_into_experience_key"))),
            ],
            "experiences": [
                .object(Configs.experience("holdout", id: "9")),
                .object(
                    Configs.experience(
                        "checkout", id: "10",
                        [
                            "audiences": ["pro", "not-held-out"],
                            "settings": ["matching_options": ["audiences": matching]],
                        ])),
            ],
        ])
        let found = try ConfigLint().findings(in: Configs.data(config)).filter { $0.code == .negatedAlternatives }
        #expect(found.map(\.path) == (isSuspected ? ["$.experiences[1].audiences[1]"] : []))
    }

    @Test func aCharacterByItsNumberIsWrittenAsItself() throws {
        let found = try findings(Configs.leaf("p", "regexMatches", "^\\x{41}\\x{2E}$"))
        #expect(found.first { $0.code == .foreignPattern }?.edit?.value == #"^A\.$"#)
    }

    @Test func attributesOfTwoScriptsAreSuspected() throws {
        let found = try findings(Configs.leaf("\u{441}ountry", "equals", "x")).first { $0.code == .lookAlikeLetters }
        #expect(found?.witness?.attributes["country"] == "x")
        #expect(found?.contrast?.attributes["\u{441}ountry"] == "x")
        let sound = try findings(Configs.leaf("\u{441}\u{442}\u{440}\u{430}\u{43D}\u{430}", "equals", "x"))
        #expect(!sound.contains { $0.code == .lookAlikeLetters })
    }

    @Test func aSpellingInAnotherCaseIsReportedOnceWithItsPlaces() throws {
        let rules = ["country", "Country", "COUNTRY"] + Array(repeating: "Country", count: 8)
        let groups = rules.enumerated().map { [[Configs.leaf($1, "equals", .string("x\($0)"))]] }
        let found = try ConfigLint().findings(in: Configs.data(Configs.audienceConfig(Configs.rules(groups))))
            .filter { $0.code == .caseVariants }
        #expect(
            found.map(\.path) == [1, 2].map { "$.audiences[0].rules.OR[\($0)].AND[0].OR_WHEN[0].key" })
        #expect(found.map { $0.message.contains("'Country' stands in 9 places") } == [true, false])
    }

    @Test func namesThatAreNearlyAlikeAreSuspected() throws {
        func names(_ first: String, _ second: String) throws -> [LintFinding] {
            try findings(Configs.leaf(first, "equals", "x"), Configs.leaf(second, "equals", "y"))
                .filter { $0.code == .similarNames }
        }
        for pair in [
            ("caf\u{E9}", "cafe\u{301}"), ("shiping_country", "shipping_country"), ("user_id", "userId"),
            ("coutnry", "country"), ("costumer_type", "customer_type"), ("plan", "plans"),
        ] {
            #expect(try names(pair.0, pair.1).count == 1, "\(pair)")
        }
        for pair in [
            ("step1", "step2"), ("min_price", "max_price"), ("plan", "plane"), ("a", "b"), ("plan_a", "plan_b"),
            ("attr12", "attr21"), ("groupA", "groupB"), ("sale", "sales_total"), ("new", "news"),
            ("min_order", "max_order"), ("first_visit", "last_visit"),
        ] {
            #expect(try names(pair.0, pair.1).isEmpty, "\(pair)")
        }
    }

    @Test func aFlagThatIsAlsoAWordIsSuspected() throws {
        let found = try findings(Configs.leaf("beta", "equals", true), Configs.leaf("beta", "equals", "yes"))
            .first { $0.code == .mixedFlags }
        #expect(found?.witness?.attributes["beta"] == true && found?.contrast?.attributes["beta"] == "yes")
        let german = try findings(Configs.leaf("beta", "equals", true), Configs.leaf("beta", "equals", "ja"))
        #expect(german.first { $0.code == .mixedFlags }?.contrast?.attributes["beta"] == "ja")
        let list = try findings(Configs.leaf("beta", "equals", "true"), Configs.leaf("beta", "isIn", "yes|ja"))
        #expect(list.contains { $0.code == .mixedFlags })
        let alike = try findings(Configs.leaf("beta", "equals", true), Configs.leaf("beta", "equals", "true"))
        #expect(!alike.contains { $0.code == .mixedFlags })
    }

    private static func carrying(_ value: JSValue, _ title: JSValue = "t") -> JSObject {
        [
            "changes": [
                [
                    "id": value, "type": "fullStackFeature",
                    "data": ["feature_id": "7", "variables_data": ["size": value, "title": title]],
                ]
            ]
        ]
    }

    private static func arms(_ first: JSObject, _ second: JSObject, _ changes: JSObject = JSObject()) -> JSObject {
        var members: JSObject = [
            "variations": [
                .object(Configs.variation("1", "a", 50, first)), .object(Configs.variation("2", "b", 50, second)),
            ]
        ]
        for member in changes { members[member.key] = member.value }
        return members
    }

    private func codes(_ experiences: JSObject...) throws -> [LintCode] {
        let variables: JSValue = [["key": "size", "type": "integer"], ["key": "title", "type": "string"]]
        let list = experiences.enumerated().map { JSValue.object(Configs.experience("e\($0)", id: "1\($0)", $1)) }
        let config = Configs.config([
            "features": [["id": "7", "key": "box", "name": "Box", "variables": variables]],
            "experiences": .array(list),
        ])
        return try ConfigLint().findings(in: Configs.data(config)).filter { $0.severity == .suspicious }.map(\.code)
    }

    @Test func armsAreCompared() throws {
        #expect(try codes(Self.arms(Self.carrying(1), Self.carrying(2))) == [])
        var same = Self.carrying(1)
        same["changes"] = .array([
            .object([
                "id": 9, "type": "fullStackFeature",
                "data": [
                    "feature_id": "7", "variables_data": ["size": 1, "title": "t"],
                ],
            ])
        ])
        #expect(try codes(Self.arms(Self.carrying(1), same)) == [.identicalVariations])
        // What an app gets is cast to the declared types.
        #expect(try codes(Self.arms(Self.carrying(1), Self.carrying("1"))) == [.identicalVariations])
        #expect(try codes(Self.arms(Self.carrying("1px"), Self.carrying(1))) == [.identicalVariations])
        #expect(try codes(Self.arms(Self.carrying(1, 7), Self.carrying(1, "7"))) == [.identicalVariations])
        #expect(try codes(Self.arms(Self.carrying(1), Self.carrying(2), ["goals": []])) == [.noGoals])
    }

    @Test func aFeatureThatAVariationCarriesTwiceIsSuspected() throws {
        var twice = Self.carrying(1)
        twice["changes"] = .array(
            (Self.carrying(1)["changes"]?.arrayValue ?? []) + (Self.carrying(3)["changes"]?.arrayValue ?? []))
        #expect(try codes(Self.arms(twice, Self.carrying(2))) == [.featureCarriedTwice])
    }

    @Test func aVariableThatIsSetTwiceCountsOnce() throws {
        let config = Configs.config([
            "features": [["id": "7", "key": "box", "name": "Box", "variables": [["key": "size", "type": "integer"]]]],
            "experiences": [
                .object(Configs.experience("e", id: "10", Self.arms(Self.carrying(1, 1), Self.carrying(2, 2))))
            ],
        ])
        let json = String(decoding: Configs.data(config), as: UTF8.self).replacing(#""title":1"#, with: #""size":5"#)
        let found = try ConfigLint().findings(in: Data(json.utf8)).first { $0.code == .readOtherwise }
        #expect(found?.path == "$.experiences[0].variations[0].changes[0].data.variables_data.size")
        #expect(found?.severity == .warning)
    }

    @Test func aVariableThatIsDeclaredTwiceIsFound() throws {
        let variables: JSValue = [["key": "size", "type": "integer"], ["key": "size", "type": "string"]]
        let config = Configs.config(["features": [["id": "7", "key": "box", "name": "Box", "variables": variables]]])
        let found = try ConfigLint().findings(in: Configs.data(config)).first { $0.code == .duplicateKey }
        #expect(found?.path == "$.features[0].variables[1].key")
    }

    @Test func aFeatureOfTwoExperiencesIsSuspectedIfOneVisitorGetsBoth() throws {
        let arms = Self.arms(Self.carrying(1), Self.carrying(2))
        #expect(try codes(arms, arms) == [.sharedFeature])
        var (production, staging) = (arms, arms)
        production["environment"] = "production"
        staging["environment"] = "staging"
        #expect(try codes(production, staging) == [])
    }

    @Test func anEntityWithoutReferencesIsSuspicious() throws {
        let config = Configs.config(["audiences": [Configs.audience("5", Configs.all(SeededDefectsTests.plan))]])
        let found = try ConfigLint().findings(in: Configs.data(config))
        #expect(found.map(\.code) == [.unattached] && found.first?.path == "$.audiences[0]")
    }

    @Test func fractionsAreNoPercentages() throws {
        let config = SeededDefectsTests.variations(
            Configs.variation("1", "a", 0.5), Configs.variation("2", "b", 0.5))
        #expect(try ConfigLint().findings(in: Configs.data(config)).contains { $0.code == .fractionalAllocation })
    }
}
