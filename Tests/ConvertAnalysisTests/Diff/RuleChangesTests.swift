@testable import ConvertAnalysis
import ConvertECMAScript
import Testing

/// What a release does to segments and to conversions.
struct RuleChangesTests {
    private static func config(
        segment: String = "seg", tier: String = "gold", amount: JSValue? = 10
    ) -> JSObject {
        var goal: JSObject = ["id": "90", "key": "order", "name": "Order", "type": "revenue"]
        goal["rules"] = amount.map {
            Configs.all(Configs.leaf("amount", "less", $0, type: "generic_numeric_key_value"))
        }
        return Configs.config([
            "segments": [
                [
                    "id": "70", "key": .string(segment), "name": "S",
                    "rules": Configs.all(Configs.leaf("tier", "equals", .string(tier))),
                ]
            ],
            "goals": [.object(goal)],
            "experiences": [.object(Configs.experience("checkout", id: "10", ["audiences": ["70"]]))],
        ])
    }

    private static func difference(_ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(config()), to: Configs.data(new))
    }

    @Test func aSegmentWithAnotherKeyIsListed() throws {
        let difference = try Self.difference(Self.config(segment: "vip"))
        #expect(difference.segments == [.init(oldKey: "seg", key: "vip")] && difference.changesAnswers)
        #expect(difference.headline.contains("Calls put no visitor into segments by these keys any more: seg."))
        #expect(difference.json.contains(#""segments":[{"oldKey":"seg","key":"vip"}]"#))
    }

    @Test func otherRulesOfASegmentAreListedWithTheExperiencesThatAttachIt() throws {
        let difference = try Self.difference(Self.config(tier: "silver"))
        #expect(
            difference.rules == [.init(owner: .segment, key: "seg", change: .changed, experiences: ["checkout"])])
        #expect(difference.changesAnswers && difference.segments.isEmpty)
    }

    @Test(arguments: [(20, .wider), (5, .narrower), (nil, .narrower)] as [(Int?, ConfigDifference.AudienceChange)])
    func otherRulesOfAGoalAreListed(amount: Int?, change: ConfigDifference.AudienceChange) throws {
        let difference = try Self.difference(Self.config(amount: amount.map { .integer($0) }))
        #expect(difference.rules == [.init(owner: .goal, key: "order", change: change, experiences: [])])
        #expect(difference.changesAnswers)
    }

    @Test func rulesThatAreWrittenOtherwiseAndMatchTheSameAreNotListed() throws {
        var new = Self.config()
        let leaf = Configs.leaf("tier", "equals", "gold")
        new["segments"] = [
            ["id": "70", "key": "seg", "name": "S", "rules": Configs.rules([[[leaf]], [[leaf, leaf]]])]
        ]
        #expect(try !Self.difference(new).changesAnswers)
    }
}
