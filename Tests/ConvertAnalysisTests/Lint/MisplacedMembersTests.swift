@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Members that stand where they are not read, and references by the wrong name.
struct MisplacedMembersTests {
    private static let leaf = Configs.leaf("plan", "equals", "pro")

    private func findings(_ rules: JSValue) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(Configs.audienceConfig(rules)))
    }

    private func finding(_ code: LintCode, _ config: JSObject) throws -> LintFinding? {
        try ConfigLint().findings(in: Configs.data(Configs.config(config))).first { $0.code == code }
    }

    private static let rules: [(rules: JSValue, missing: String, place: String)] = [
        (["OR": [["AND": [leaf]]]], "OR_WHEN", ".OR[0].AND[0]"),
        (["OR": [["OR_WHEN": [leaf]]]], "AND", ".OR[0]"),
        (["OR": [leaf]], "AND", ".OR[0]"),
        (["AND": [["OR_WHEN": [leaf]]]], "OR", ""),
    ]

    @Test(arguments: rules.indices)
    func aListThatIsLeftOutIsNamed(index: Int) throws {
        let (rules, missing, place) = Self.rules[index]
        let found = try findings(rules)
        #expect(found.first?.code == .malformed && found.first?.path == "$.audiences[0].rules" + place)
        #expect(found.first?.remedy.contains(#"{"\#(missing)": [ … ]}"#) ?? false, "\(found)")
        #expect(!found.contains { $0.code == .unreadMember })
    }

    @Test func membersOfALeafBelongInMatching() throws {
        guard var leaf = Self.leaf.objectValue else { return }
        leaf["negate"] = true
        leaf["op"] = "equals"
        let remedies = try findings(Configs.all(.object(leaf))).filter { $0.code == .unreadMember }.map(\.remedy)
        let matching = #"Write "matching": {"match_type": "equals", "negated": true} in place of it."#
        #expect(remedies == [matching, matching])
    }

    @Test(arguments: ["on", "weights", "audienceIds", "audienceConditions"])
    func membersOfOtherServicesAreNoNotes(name: String) throws {
        var experience = Configs.experience("a", id: "10")
        experience[name] = name == "on" ? false : [0.1, 0.9]
        if name.hasPrefix("audience") { experience["audiences"] = nil }
        #expect(try finding(.unreadMember, ["experiences": [.object(experience)]])?.severity == .warning)
    }

    @Test func aReferenceByTheWrongNameIsCorrected() throws {
        let change: JSValue = ["type": "fullStackFeature", "data": ["feature_id": "flow", "variables_data": [:]]]
        let carrier = Configs.variation("111", "a", 100, ["changes": [change]])
        let feature = try finding(
            .unknownReference,
            [
                "features": [["id": "7", "key": "flow", "variables": []]],
                "experiences": [.object(Configs.experience("a", id: "10", ["variations": [.object(carrier)]]))],
            ])
        #expect(feature?.remedy == "Write its id, '7'.")
        let asking = Configs.leaf("x", "equals", "10", negated: true, type: "bucketed_into_experience_key")
        let experience = try finding(
            .unknownReference,
            [
                "audiences": [Configs.audience("5", Configs.all(asking))],
                "experiences": [
                    .object(Configs.experience("a", id: "10")),
                    .object(Configs.experience("b", id: "11", ["audiences": ["5"]])),
                ],
            ])
        #expect(experience?.remedy == "Write its key, 'a'.")
        let number = try finding(
            .unknownReference,
            [
                "audiences": [Configs.audience("5", Configs.all(Self.leaf))],
                "experiences": [.object(Configs.experience("a", id: "10", ["audiences": [5]]))],
            ])
        #expect(number?.remedy == #"Write "5", as the config has the id."#)
    }

    @Test(arguments: [("all", 2, true), ("and", 2, true), ("any", 2, false), ("all", 1, false)])
    func locationsThatMustAllMatchAreAWarning(matching: String, count: Int, isFound: Bool) throws {
        let ids = (0..<count).map { "8\($0)" }
        let options: JSValue = ["audiences": "any", "locations": .string(matching)]
        let found = try finding(
            .readOtherwise,
            [
                "locations": .array(ids.map { Configs.audience($0, Configs.all(Self.leaf)) }),
                "experiences": [
                    .object(
                        Configs.experience(
                            "a", id: "10",
                            [
                                "locations": .array(ids.map { .string($0) }),
                                "settings": ["matching_options": options],
                            ]))
                ],
            ])
        #expect((found?.path == "$.experiences[0].settings.matching_options.locations") == isFound)
    }

    @Test(arguments: ["AND", "NOT", "OR_WHEN", "not"], ["", ".OR[0]", ".OR[0].AND[0]"])
    func conditionsInAListThatIsNotReadAreAWarning(name: String, place: String) throws {
        let list = place.isEmpty ? "OR" : place == ".OR[0]" ? "AND" : "OR_WHEN"
        if name == list { return }
        func adding(_ object: JSObject, at other: String) -> JSValue {
            var object = object
            if other == place { object[name] = name == "not" ? true : [Self.leaf] }
            return .object(object)
        }
        let clause = adding(["OR_WHEN": [Self.leaf]], at: ".OR[0].AND[0]")
        let rules = adding(["OR": [adding(["AND": [clause]], at: ".OR[0]")]], at: "")
        let found = try findings(rules).filter { $0.code == .unreadMember }
        #expect(found.map(\.path) == ["$.audiences[0].rules\(place).\(name)"], "\(found)")
        #expect(found.first?.severity == .warning)
    }

    @Test func audiencesThatAreToBeExcludedAreAWarning() throws {
        let experience = Configs.experience("a", id: "10", ["exclude_audiences": ["5"]])
        #expect(try finding(.unreadMember, ["experiences": [.object(experience)]])?.severity == .warning)
    }

    @Test func datesWithZerosAreInOrder() throws {
        func notes(_ value: JSValue) throws -> [String] {
            try findings(Configs.all(Configs.leaf("x", "less", value))).filter { $0.code == .incomparableValue }
                .map(\.remedy)
        }
        for date: JSValue in ["2026-03-01", "2026-03-01T08:00:00.000Z"] { #expect(try notes(date).isEmpty) }
        #expect(try notes("2026-3-1") == ["Write the date with all zeros, such as \"2026-03-01\"."])
        #expect(try notes("2.10.0").first?.hasPrefix("No operator compares versions") ?? false)
    }
}
