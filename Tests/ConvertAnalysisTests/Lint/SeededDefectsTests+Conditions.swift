@testable import ConvertAnalysis
import ConvertECMAScript

/// Conditions that are wrong by themselves.
extension SeededDefectsTests {
    static var conditions: [Defect] {
        var defects: [Defect] = []
        defects.append(
            Defect(
                .invalidPattern, leafPath + ".value",
                Configs.audienceConfig(Configs.all(Configs.leaf("url", "regexMatches", "(")))))
        defects.append(
            Defect(
                .emptyPattern, leafPath + ".value",
                Configs.audienceConfig(Configs.all(Configs.leaf("url", "regexMatches", "a^")))))
        defects.append(
            Defect(
                .expensivePattern, leafPath + ".value",
                Configs.audienceConfig(Configs.all(Configs.leaf("url", "regexMatches", "^(a*)*\\1b$")))))
        defects.append(
            Defect(
                .unknownOperator, leafPath + ".matching.match_type",
                Configs.audienceConfig(Configs.all(Configs.leaf("plan", "equal", "pro")))))
        defects.append(
            Defect(
                .incompleteCondition, leafPath, Configs.audienceConfig(Configs.all(Configs.leaf("plan", "equals", nil)))
            ))
        defects.append(
            Defect(
                .incompleteCondition, leafPath,
                Configs.audienceConfig(
                    Configs.all(["rule_type": "t", "key": "plan", "value": "pro", "matching": ["match_type": "equals"]])
                )))
        defects.append(
            Defect(
                .incomparableValue, leafPath + ".value",
                Configs.audienceConfig(Configs.all(Configs.leaf("age", "less", "eighteen")))))
        defects.append(
            Defect(
                .incomparableValue, leafPath + ".value",
                Configs.audienceConfig(Configs.all(Configs.leaf("age", "isIn", 5), plan))))
        defects.append(
            Defect(
                .reportSegment, leafPath + ".key",
                Configs.audienceConfig(Configs.all(Configs.leaf("country", "equals", "CA")))))
        defects.append(
            Defect(
                .mixedTypes, leafPath,
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("age", "less", 5), Configs.leaf("age", "contains", "x")))))
        defects.append(
            Defect(
                .mixedTypes, leafPath,
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("age", "less", 5), Configs.leaf("age", "equalsNumber", "x")))))
        defects.append(
            Defect(
                .caseVariants, "$.audiences[0].rules.OR[0].AND[1].OR_WHEN[0].key",
                Configs.audienceConfig(Configs.all(plan, Configs.leaf("Plan", "contains", "r")))))
        defects.append(
            Defect(.malformed, leafPath, Configs.audienceConfig(Configs.rules([[[.null]]]))))
        defects.append(
            Defect(.malformed, "$.audiences[0].rules", Configs.audienceConfig(["OR": []])))
        defects.append(
            Defect(.malformed, "$.audiences[0]", Configs.audienceConfig(.null)))
        defects.append(
            Defect(.malformed, "$.experiences[0]", Configs.config(["experiences": [["key": "no-id"]]])))
        for matchType in ["co", "nc", "sw", "ew"] {
            for value in [5, true, ["a", 5]] as [JSValue] {
                defects.append(
                    Defect(
                        .incomparableValue, leafPath + ".value",
                        Configs.audienceConfig(Configs.all(Configs.leaf("plan", matchType, value)))))
            }
        }
        let spellings: [(String, JSValue, String, JSValue)] = [
            ("equals", "Pro", "matches", "pRO"), ("equals", 1, "equalsNumber", "1"),
            ("isIn", "b|A", "isIn", ["a", "b"]),
            ("less", 5, "less", "5.0"), ("contains", "X", "contains", "x"), ("exists", 1, "exists", "any"),
        ]
        for (first, value, second, other) in spellings {
            defects.append(
                Defect(
                    .duplicateCondition, "$.audiences[0].rules.OR[0].AND[1].OR_WHEN[0]",
                    Configs.audienceConfig(
                        Configs.all(Configs.leaf("plan", first, value), Configs.leaf("plan", second, other)))))
        }
        return defects
    }
}
