import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// Lint of oversized configs ends in time, and says which questions were not decided.
struct LintBoundsTests {
    /// Letter by letter each of them compared with each would take minutes.
    @Test func thousandsOfUnknownReferencesAreBounded() throws {
        let count = inputSize(3_000, plain: 1_100)
        let audiences = (0..<count).map { JSValue.object(["id": .string("audience-\($0)"), "key": .string("k\($0)")]) }
        let references = (0..<count).map { JSValue.string("audiense-\($0)") }
        let config = Configs.config([
            "audiences": .array(audiences),
            "experiences": [.object(Configs.experience("checkout", id: "10", ["audiences": .array(references)]))],
        ])
        let findings = try ConfigLint().findings(in: Configs.data(config))
        let unknown = findings.filter { $0.code == .unknownReference }
        #expect(unknown.count > 500 && findings.contains { $0.code == .moreFindings })
        #expect(unknown.first?.remedy.hasPrefix("Did you mean 'audience-0'?") == true)
        #expect(unknown.last?.remedy.hasPrefix("Name one") == true)
    }

    @Test func aWarningAmongThousandsOfErrorsHasItsWitness() throws {
        let references = (0..<5_000).map { JSValue.string("gone-\($0)") }
        let rules = Configs.all(Configs.leaf("plan", "contains", ""))
        let config = Configs.audienceConfig(
            rules, ["experiences": [.object(Configs.experience("e", id: "10", ["audiences": .array(references)]))]])
        var exceptions = LintExceptions()
        exceptions.ignore(.unknownReference)
        let findings = try ConfigLint(exceptions: exceptions).findings(in: Configs.data(config))
        let warning = try #require(findings.first { $0.code == .conditionAlwaysHolds })
        #expect(warning.witness != nil)
    }

    private static let length = inputSize(4_000, plain: 1_000)

    @Test(
        arguments: [
            ("(a)" + String(repeating: "\\g1", count: length), LintCode.foreignPattern),
            (String(repeating: "[:", count: length), .invalidPattern),
            (String(repeating: "(?#", count: length), .invalidPattern),
            ("(de,at)" + String(repeating: "{", count: length), .loosePattern),
            ("(de,at)" + String(repeating: "d{", count: 1_000), .loosePattern),
            ("/a?b=" + String(repeating: "a?", count: length), .loosePattern),
        ])
    func aPatternOfThousandsOfSignsIsRead(pattern: String, code: LintCode) throws {
        let findings = try Self.findings([[[Configs.leaf("url", "regexMatches", .string(pattern))]]])
        #expect(findings.contains { $0.code == code }, "\(findings.map(\.code))")
    }

    @Test(arguments: [
        String(repeating: "x", count: inputSize(3_000, plain: 400)) + "[ab]", "^(?:[a-c][d-f]){100}\\d$",
        (0..<inputSize(300, plain: 60)).map { "[ab]shop-\($0)" }.joined(separator: "|"),
    ])
    func aVisitorOfALongPatternIsFoundWithoutASearch(pattern: String) throws {
        var limits = AnalysisLimits()
        limits.states = 50
        let config = Configs.audienceConfig(Configs.all(Configs.leaf("url", "regexMatches", .string(pattern))))
        let findings = try ConfigLint(limits: limits).findings(in: Configs.data(config))
        #expect(!findings.contains { $0.code == .undecided }, "\(findings.map(\.message))")
    }

    @Test func thousandsOfNumbersInOneClauseAreCompared() throws {
        let count = inputSize(4_000, plain: 1_000)
        let bounds = (0..<count).map { Configs.leaf("age", "less", .integer($0)) }
        let opposite = Configs.leaf("age", "less", .integer(count - 1), negated: true)
        let findings = try Self.findings([[bounds + [opposite]]])
        let finding = findings.first { $0.code == .negatedAlternatives }
        #expect(finding?.path.hasSuffix("OR_WHEN[\(count)]") == true)
        #expect(finding?.message.contains("age less \(count - 1) or age not less \(count - 1)") == true)
    }

    @Test func thousandsOfVariablesThatAreNotDeclaredAreListed() throws {
        let count = inputSize(2_000, plain: 600)
        func variables(_ name: String) -> [String] { (0..<count).map { "\(name)-\($0)" } }
        let values = variables("colour").reduce(into: JSObject()) { $0[$1] = "red" }
        let change: JSValue = [
            "id": 1, "type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": .object(values)],
        ]
        let declared: [JSValue] = variables("color").map { ["key": .string($0), "type": "string"] }
        let config = Configs.config([
            "features": [["id": "7", "key": "box", "name": "Box", "variables": .array(declared)]],
            "experiences": [
                .object(
                    Configs.experience(
                        "e", id: "10",
                        ["variations": [.object(Configs.variation("1", "a", 100, ["changes": [change]]))]]))
            ],
        ])
        let findings = try ConfigLint().findings(in: Configs.data(config)).filter { $0.code == .unreadMember }
        #expect(findings.first?.remedy.hasPrefix("Did you mean 'color-0'?") == true)
        #expect(findings.last?.remedy == "Declare it, or remove the value.")
    }

    static let environments: [(members: JSObject, severity: LintFinding.Severity)] = [
        (["environment": "nowhere"], .error), (["environments": ["nowhere"]], .warning),
    ]

    @Test(arguments: environments) func anEnvironmentThatKeepsEverybodyOutIsAnError(
        members: JSObject, severity: LintFinding.Severity
    ) throws {
        let config = Configs.config([
            "project": ["id": "2", "environments": ["production"]],
            "experiences": [.object(Configs.experience("checkout", id: "10", members))],
        ])
        let finding = try ConfigLint().findings(in: Configs.data(config)).first { $0.code == .unknownEnvironment }
        #expect(finding?.severity == severity)
    }

    @Test func aMessageNamesTheFirstOfThousandsOfEnvironments() throws {
        let names = (0..<5_000).map { JSValue.string("environment-\($0)") }
        let config = Configs.config([
            "project": ["id": "2", "environments": .array(names)],
            "experiences": [.object(Configs.experience("checkout", id: "10", ["environment": "nowhere"]))],
        ])
        let finding = try ConfigLint().findings(in: Configs.data(config)).first { $0.code == .unknownEnvironment }
        #expect(finding?.remedy.hasSuffix("environment-19 and 4980 more.") == true)
    }

    private static func findings(
        _ groups: [[[JSValue]]], _ limits: AnalysisLimits = AnalysisLimits(), semantics: RuleSemantics = .standard
    ) throws -> [LintFinding] {
        let config = Configs.data(Configs.audienceConfig(Configs.rules(groups)))
        return try ConfigLint(semantics: semantics, limits: limits).findings(in: config)
    }

    private static func limits(transitions: Int) -> AnalysisLimits {
        var limits = AnalysisLimits()
        limits.transitions = transitions
        return limits
    }

    /// Groups of three conditions on attributes that some of them share.
    private static func mixedGroups(_ count: Int) -> [[[JSValue]]] {
        (0..<count).map { index in
            [
                [Configs.leaf("a", "less", .integer(index))],
                [Configs.leaf("b", "startsWith", .string(String(repeating: "x", count: index % 7)))],
                [Configs.leaf("c\(index % 30)", "contains", .string("q\(index)"))],
            ]
        }
    }

    /// A group is compared with all groups before it. Finding a visitor that it adds costs little.
    @Test func hundredsOfGroupsOfSeveralConditionsAreDecided() throws {
        let count = inputSize(250, plain: 100)
        let findings = try Self.findings(Self.mixedGroups(count), Self.limits(transitions: 4_000_000))
        // Every seventh group asks whether a text begins with the empty text.
        let expected = Array(repeating: LintCode.conditionAlwaysHolds, count: (count + 6) / 7)
        #expect(findings.map(\.code) == expected, "\(findings)")
    }

    @Test(arguments: [RuleSemantics.standard, .javaScript])
    func thousandsOfGroupsOfOneTextAreDecided(semantics: RuleSemantics) throws {
        let count = caseCount(1_500, plain: 800)
        var groups = (0..<count).map { [[Configs.leaf("plan", "equals", .string("P\($0)"))]] }
        // The first two together; then one; then no visitor, because elements of an array are compared with case.
        groups.append([[Configs.leaf("plan", "equals", "P7"), Configs.leaf("plan", "equals", "P700")]])
        groups.append([[Configs.leaf("plan", "equals", "P9")], [Configs.leaf("plan", "contains", "9")]])
        groups.append([[Configs.leaf("plan", "equals", "p8")]])
        let findings = try Self.findings(groups, Self.limits(transitions: count * 1_000), semantics: semantics)
        #expect(findings.map(\.code) == [.groupImplied, .groupImplied])
        #expect(findings.first?.message.contains("one of the groups before it") == true)
        #expect(findings.last?.message.contains("already meets $.audiences[0].rules.OR[9].") == true)
    }

    /// What is spent on groups leaves something for the questions about experiences.
    @Test func exceededLimitsAreReportedOncePerRuleGraph() throws {
        let groups = (0..<100).map { index in
            ["a", "b"].map { [Configs.leaf($0, "equals", .string("\($0)\(index)"), negated: true)] }
        }
        let findings = try Self.findings(groups, Self.limits(transitions: 300_000))
        #expect(findings.map(\.code) == [.undecided])
        #expect(findings.first?.path.hasPrefix("$.audiences[0].rules.OR[") == true)
        #expect(findings.first?.message.contains("whether the group lets in a visitor") == true)
        #expect(findings.first?.message.contains("more of the groups") == true)
    }

    /// Each that a visitor may end at is a case of its own for all groups behind it.
    @Test func thousandsOfGroupsWithANullAreBounded() throws {
        let groups = (0..<1_200).map { [[Configs.leaf("a", "equals", .string("p\($0)")), .null]] }
        let findings = try Self.findings(groups, Self.limits(transitions: 100_000))
        #expect(findings.contains { $0.code == .moreFindings })
    }

    @Test func aConditionThatIsNotDecidedIsSaid() throws {
        let pattern = Configs.leaf("url", "regexMatches", "(?=a)b")
        let both = try Self.findings([[[pattern, Configs.leaf("plan", "equals", "pro")]]])
        #expect(both.filter(\.isUndecided).map(\.path) == ["$.audiences[0].rules.OR[0].AND[0].OR_WHEN[0]"])
        #expect(both.last?.message.contains("whether any value meets the condition") == true)
        // Where the group is undecided because of it, once is enough.
        let alone = try Self.findings([[[pattern]]])
        #expect(alone.filter(\.isUndecided).map(\.path) == ["$.audiences[0].rules.OR[0]", "$.experiences[0]"])
        let negated = Configs.leaf("url", "regexMatches", "(?=a)b", negated: true)
        let always = try Self.findings([[[negated]]])
        #expect(always.filter(\.isUndecided).count == 1)
        #expect(always.last?.message.contains("whether every value meets the condition") == true)
    }

    @Test func aGroupThatMayAddNoVisitorIsReported() throws {
        let findings = try Self.findings([
            [[Configs.leaf("url", "contains", "aa")]], [[Configs.leaf("url", "regexMatches", "(a)\\1")]],
        ])
        let undecided = findings.filter(\.isUndecided)
        #expect(undecided.contains { $0.message.contains("whether the group lets in a visitor") }, "\(undecided)")
    }

    @Test func rulesThatMayHoldForEverybodyAreSaid() throws {
        let groups = [[[Configs.leaf("url", "doesNotExist", nil)]], [[Configs.leaf("url", "exists", nil)]]]
        #expect(try Self.findings(groups).map(\.code) == [.audienceAlwaysHolds])
        var limits = AnalysisLimits()
        limits.conditions = 1
        let undecided = try Self.findings(groups, limits).filter(\.isUndecided)
        #expect(undecided.contains { $0.message.contains("whether everybody matches") }, "\(undecided)")
    }
}
