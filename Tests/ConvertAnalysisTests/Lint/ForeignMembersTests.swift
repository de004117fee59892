@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Members and patterns as other services write them: what to write instead, and what follows from them.
struct ForeignMembersTests {
    private static let leafPath = SeededDefectsTests.leafPath

    private func findings(_ config: JSObject) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(config))
    }

    private func findings(ofLeaf leaf: JSObject) throws -> [LintFinding] {
        try findings(Configs.audienceConfig(Configs.all(.object(leaf))))
    }

    static let operators: [(members: JSObject, matching: String)] = [
        (["op": "in"], #"{"match_type": "isIn", "negated": false}"#),
        (["operator": "NOT_IN"], #"{"match_type": "isIn", "negated": true}"#),
        (["match": "exact"], #"{"match_type": "equals", "negated": false}"#),
        (["comparator": "neq"], #"{"match_type": "equals", "negated": true}"#),
        (["op": "matches"], #"{"match_type": "regexMatches", "negated": false}"#),
        (["op": "in", "negate": true], #"{"match_type": "isIn", "negated": true}"#),
        (["operator": "NOT_IN", "inverted": true], #"{"match_type": "isIn", "negated": false}"#),
        (
            ["matching": ["match_type": "equals", "negated": false], "not": true],
            #"{"match_type": "equals", "negated": true}"#
        ),
        (["matching": ["operator": "gt", "invert": false]], #"{"match_type": "lessEqual", "negated": true}"#),
        (["match_type": "contains", "negated": true], #"{"match_type": "contains", "negated": true}"#),
    ]

    @Test(arguments: operators.indices)
    func anOperatorInAForeignMemberIsTranslatedWithItsNegation(index: Int) throws {
        let (members, matching) = Self.operators[index]
        var leaf: JSObject = ["rule_type": "generic_text_key_value", "key": "plan", "value": "pro"]
        for member in members { leaf[member.key] = member.value }
        let remedies = try findings(ofLeaf: leaf).filter { $0.code == .unreadMember }.map(\.remedy)
        #expect(!remedies.isEmpty)
        #expect(remedies.allSatisfy { $0 == #"Write "matching": \#(matching) in place of it."# }, "\(remedies)")
    }

    @Test(arguments: ["semver_gt", "SEMVER_LT", "semVerEqual", "$vgte"])
    func anOperatorOfVersionsHasNoTranslation(name: String) throws {
        let found = try findings(Configs.audienceConfig(Configs.all(Configs.leaf("v", name, "2.1.0"))))
        let remedy = found.first { $0.code == .unknownOperator }?.remedy
        #expect(remedy?.hasPrefix("No operator compares versions") ?? false, "\(found)")
    }

    @Test func whatAMisnamedMemberLeavesOutStandsUnderIt() throws {
        var arms: [JSValue] = []
        for (id, key) in [("1", "a"), ("2", "b")] {
            var arm = Configs.variation(id, key, 50)
            arm["traffic_allocation"] = nil
            arm["weight"] = 50
            arms.append(.object(arm))
        }
        let shares = try findings(
            Configs.config([
                "experiences": [.object(Configs.experience("x", id: "10", ["variations": .array(arms)]))]
            ]))
        #expect(shares.contains { $0.code == .allocationUnreadable })
        #expect(Set(shares.filter { $0.because == nil }.map(\.code)) == [.unreadMember], "\(shares)")
        var leaf = Configs.leaf("plan", "equals", nil).objectValue ?? [:]
        leaf["values"] = "pro"
        let incomplete = try findings(ofLeaf: leaf).first { $0.code == .incompleteCondition }
        #expect(incomplete?.because == .init(code: .unreadMember, path: Self.leafPath + ".values"))
    }

    @Test func aPatternInSlashesIsTheCauseOfMatchingNothing() throws {
        let found = try findings(
            Configs.audienceConfig(Configs.all(Configs.leaf("path", "regexMatches", "/^\\/checkout/i"))))
        let empty = try #require(found.first { $0.code == .emptyPattern })
        #expect(empty.because?.code == .foreignPattern, "\(found)")
    }

    @Test func everyPartThatIsLeftOutHasARemedyOfItsOwn() throws {
        let found = try findings(
            Configs.config([
                "audiences": [["id": "5", "key": "a"]],
                "experiences": [
                    5, ["key": "x"],
                    .object(
                        Configs.experience(
                            "y", id: "11", ["settings": .null, "audiences": ["5", ["id": "5"]], "variations": ["a"]])),
                ],
            ])
        ).filter { $0.code == .malformed }
        #expect(found.count >= 5 && Set(found.map(\.remedy)).count >= 5, "\(found)")
        #expect(!found.contains { $0.remedy.hasPrefix("Correct or add") })
    }

    @Test func aMisspelledEnvironmentInAListIsCorrected() throws {
        let config = Configs.config([
            "project": ["id": "2", "environments": ["prod": "P", "staging": "S"]],
            "experiences": [.object(Configs.experience("x", id: "10", ["environments": ["prdo"]]))],
        ])
        let frame = try findings(config).first { $0.code == .readOtherwise }
        #expect(frame?.remedy == #"Write "environment": "prod"."#)
    }
}
