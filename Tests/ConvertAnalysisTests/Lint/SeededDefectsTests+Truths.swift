@testable import ConvertAnalysis
import ConvertECMAScript

/// Rules that match no visitor or every visitor.
extension SeededDefectsTests {
    static var truths: [Defect] {
        var defects: [Defect] = []
        defects.append(
            Defect(
                .groupNeverHolds, "$.audiences[0].rules.OR[0]",
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("age", "less", 18), Configs.leaf("age", "less", 65, negated: true)))))
        defects.append(
            Defect(
                .groupNeverHolds, "$.audiences[0].rules.OR[0]",
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("plan", "exists", nil), Configs.leaf("plan", "doesNotExist", nil)))))
        defects.append(
            Defect(
                .groupNeverHolds, "$.audiences[0].rules.OR[0]",
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("url", "startsWith", "/a"), Configs.leaf("url", "startsWith", "/b")))))
        defects.append(
            Defect(
                .groupNeverHolds, "$.audiences[0].rules.OR[0]",
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("url", "regexMatches", "^\\d+$"), Configs.leaf("url", "contains", "shop")))
            ))
        defects.append(
            Defect(
                .groupNeedsList, "$.audiences[0].rules.OR[0]",
                Configs.audienceConfig(Configs.all(plan, Configs.leaf("plan", "equals", "free")))))
        defects.append(
            Defect(
                .audienceNeverHolds, "$.audiences[0].rules",
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("age", "less", 18), Configs.leaf("age", "lessEqual", 20, negated: true)))))
        defects.append(
            Defect(
                .audienceAlwaysHolds, "$.audiences[0].rules",
                Configs.audienceConfig(
                    Configs.rules([[[Configs.leaf("a", "exists", nil)]], [[Configs.leaf("a", "doesNotExist", nil)]]]))))
        defects.append(
            Defect(
                .groupImplied, "$.audiences[0].rules.OR[1]",
                Configs.audienceConfig(
                    Configs.rules([[[Configs.leaf("age", "less", 65)]], [[Configs.leaf("age", "less", 18)]]]))))
        defects.append(
            Defect(
                .groupImplied, "$.audiences[0].rules.OR[1]",
                Configs.audienceConfig(
                    Configs.rules([
                        [[Configs.leaf("url", "contains", "shop")]], [[Configs.leaf("url", "contains", "/shop/")]],
                    ]))))
        defects.append(
            Defect(
                .duplicateCondition, "$.audiences[0].rules.OR[0].AND[1].OR_WHEN[0]",
                Configs.audienceConfig(Configs.all(plan, plan))))
        defects.append(
            Defect(
                .experienceUnreachable, "$.experiences[0]",
                Configs.config([
                    "audiences": [
                        Configs.audience("5", Configs.all(Configs.leaf("age", "less", 18))),
                        Configs.audience("6", Configs.all(Configs.leaf("age", "less", 21, negated: true))),
                    ],
                    "experiences": [
                        .object(
                            Configs.experience(
                                "checkout", id: "10",
                                ["audiences": ["5", "6"], "settings": ["matching_options": ["audiences": "all"]]]))
                    ],
                ])))
        defects.append(
            Defect(
                .experienceUnreachable, "$.experiences[0]",
                Configs.config([
                    "locations": [["id": "3", "key": "l", "name": "L"]],
                    "experiences": [.object(Configs.experience("checkout", id: "10", ["locations": ["3"]]))],
                ])))
        defects.append(
            Defect(
                .rulesNeverHold, "$.experiences[0].site_area",
                experience(["site_area": Configs.all(Configs.leaf("p", "isIn", 5))])))
        defects.append(
            Defect(
                .rulesAlwaysHold, "$.experiences[0].site_area",
                experience([
                    "site_area": Configs.rules([
                        [[Configs.leaf("a", "exists", nil)]], [[Configs.leaf("a", "doesNotExist", nil)]],
                    ])
                ])))
        defects.append(
            Defect(
                .conditionNeverHolds, leafPath,
                Configs.audienceConfig(Configs.rules([[[Configs.leaf("p", "isIn", 5), plan]]]))))
        defects.append(
            Defect(
                .conditionAlwaysHolds, "$.audiences[0].rules.OR[0].AND[0].OR_WHEN[0]",
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("p", "isIn", 5, negated: true), plan))))
        return defects
    }
}
