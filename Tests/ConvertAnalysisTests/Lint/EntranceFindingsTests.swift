@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// What lint says of the visitors whom experiences let in together.
struct EntranceFindingsTests {
    private func findings(_ config: JSObject) throws -> [LintFinding] {
        try ConfigLint().findings(in: Configs.data(config))
    }

    /// One experience that asks for audiences by `plan`.
    private static func experience(_ matching: JSValue, _ plans: String...) -> JSObject {
        Configs.config([
            "audiences": .array(
                plans.map { Configs.audience($0, Configs.all(Configs.leaf("plan", "equals", .string($0)))) }),
            "experiences": [
                .object(
                    Configs.experience(
                        "checkout", id: "10",
                        [
                            "audiences": .array(plans.map { .string($0) }),
                            "settings": ["matching_options": ["audiences": matching]],
                        ]))
            ],
        ])
    }

    @Test func audiencesThatOnlyAListMeetsTogetherAreFound() throws {
        let found = try findings(Self.experience("all", "pro", "team")).first { $0.code == .groupNeedsList }
        #expect(found?.path == "$.experiences[0]" && found?.severity == .warning && found?.witness != nil)
        #expect(try !findings(Self.experience("any", "pro", "team")).contains { $0.code == .groupNeedsList })
    }

    @Test func anExperienceFollowsFromTheGroupThatNeedsAList() throws {
        let rules = Configs.all(Configs.leaf("plan", "equals", "pro"), Configs.leaf("plan", "equals", "team"))
        let found = try findings(Configs.audienceConfig(rules)).filter { $0.code == .groupNeedsList }
        #expect(found.map(\.path) == ["$.audiences[0].rules.OR[0]", "$.experiences[0]"])
        #expect(found.last?.because?.path == found.first?.path)
    }

    @Test func visitorsOfTwoAudiencesThatOnlyAListMeetsShareNoFeature() throws {
        func isShared(_ second: String) throws -> Bool {
            func arm(_ size: JSValue) -> JSObject {
                [
                    "changes": [
                        ["type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": ["size": size]]]
                    ]
                ]
            }
            let variations: JSValue = [
                .object(Configs.variation("1", "a", 50, arm(1))), .object(Configs.variation("2", "b", 50, arm(2))),
            ]
            let audiences = [("5", "de|at"), ("6", second)].map { id, list in
                Configs.audience(id, Configs.all(Configs.leaf("land", "isIn", .string(list))))
            }
            let experiences = ["5", "6"].map { id in
                JSValue.object(
                    Configs.experience("e" + id, id: "1" + id, ["audiences": [.string(id)], "variations": variations]))
            }
            return try findings(
                Configs.config([
                    "features": [["id": "7", "key": "box", "variables": [["key": "size", "type": "integer"]]]],
                    "audiences": .array(audiences), "experiences": .array(experiences),
                ])
            ).contains { $0.code == .sharedFeature }
        }
        #expect(try !isShared("fr"))
        #expect(try isShared("at|fr"))
    }

    /// Composed and decomposed letters make two names.
    @Test(arguments: [("staging", "production"), ("caf\u{E9}", "cafe\u{301}")])
    func anExperienceThatAsksForOneOfAnotherEnvironmentSaysSo(first: String, second: String) throws {
        var config = SeededDefectsTests.exclusion(of: "first", keepsOut: false)
        config["experiences"] = .array(
            zip(config["experiences"]?.arrayValue ?? [], [first, second]).map { experience, name in
                var members = experience.objectValue ?? JSObject()
                members["environment"] = .string(name)
                return .object(members)
            })
        config["project"] = ["id": "2", "environments": [.string(first), .string(second)]]
        let found = try #require(try findings(config).first { $0.code == .experienceUnreachable })
        #expect(found.path == "$.experiences[1]" && found.remedy.contains("one environment"))
        #expect(
            found.message.hasSuffix("of 'first', and that one runs in '\(first)', this one in '\(second)'."))
    }

    /// Whatever stands in place of a list is shown, and the sentence about the group has no hole.
    @Test(arguments: ["OR", "AND", "OR_WHEN"])
    func anObjectInPlaceOfAListIsShown(member: String) throws {
        let leaf = Configs.leaf("p", "equals", "x")
        let rules: JSValue =
            switch member {
            case "OR": ["OR": ["AND": [["OR_WHEN": [leaf]]]]]
            case "AND": ["OR": [["AND": ["OR_WHEN": [leaf]]]]]
            default: ["OR": [["AND": [["OR_WHEN": leaf]]]]]
            }
        let found = try findings(Configs.audienceConfig(rules))
        let cause = try #require(found.first)
        #expect(cause.code == .malformed && cause.message.hasPrefix("\(member) is {"))
        #expect(!found.contains { $0.message.contains(": .") || $0.message.contains("; .") })
        #expect(found.dropFirst().allSatisfy { $0.because?.path == cause.path })
    }

    @Test func alternativesThatEveryNumberMeetsAreSuspected() throws {
        func isSuspected(_ bound: JSValue) throws -> Bool {
            let conditions = [Configs.leaf("n", "less", 10), Configs.leaf("n", "less", bound, negated: true)]
            let groups = try findings(Configs.audienceConfig(Configs.rules(conditions.map { [[$0]] })))
            let clause = try findings(Configs.audienceConfig(Configs.rules([[conditions]])))
            let found = [groups, clause].map { $0.contains { $0.code == .negatedAlternatives } }
            #expect(found[0] == found[1])
            return found[0]
        }
        #expect(try isSuspected(5) && isSuspected(10))
        #expect(try !isSuspected(11))
    }

    @Test func othersDoNotTakeTheVisitorsOfAnExperienceInAnUnknownEnvironment() throws {
        let question = Configs.leaf("x", "equals", "one", negated: true, type: "bucketed_into_experience_key")
        let two = Configs.experience("two", id: "2", ["audiences": ["5"], "environment": "Production"])
        let config = Configs.config([
            "audiences": [Configs.audience("5", Configs.all(question))],
            "experiences": [
                .object(
                    Configs.experience(
                        "one", id: "1", ["variations": [.object(Configs.variation("11", "a", 10))]])), .object(two),
            ],
        ])
        let codes = try findings(config).map(\.code)
        #expect(codes.contains(.unknownEnvironment) && !codes.contains(.experienceUnreachable))
    }
}
