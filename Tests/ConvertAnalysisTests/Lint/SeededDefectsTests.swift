@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Defects of every kind, each put into a sound config.
struct SeededDefectsTests {
    struct Defect: Sendable, CustomTestStringConvertible {
        let code: LintCode
        let path: String
        let config: JSObject

        init(_ code: LintCode, _ path: String, _ config: JSObject) {
            self.code = code
            self.path = path
            self.config = config
        }

        var testDescription: String { "\(code.rawValue) at \(path)" }
    }

    private static let leafPath = "$.audiences[0].rules.OR[0].AND[0].OR_WHEN[0]"
    private static let plan = Configs.leaf("plan", "equals", "pro")

    private static func experience(_ changes: JSObject) -> JSObject {
        Configs.config(["experiences": [.object(Configs.experience("checkout", id: "10", changes))]])
    }

    private static func variations(_ list: JSObject..., version: JSValue = 10) -> JSObject {
        experience(["variations": .array(list.map { .object($0) }), "version": version])
    }

    private static func feature(_ type: String, _ value: JSValue, name: String = "size") -> JSObject {
        let change: JSValue = [
            "id": 1, "type": "fullStackFeature", "data": ["feature_id": 7, "variables_data": .object([name: value])],
        ]
        return Configs.config([
            "features": [
                ["id": 7, "key": "form", "name": "F", "variables": [["key": "size", "type": .string(type)]]]
            ],
            "experiences": [
                .object(
                    Configs.experience(
                        "checkout", id: "10",
                        ["variations": [.object(Configs.variation("1", "a", 100, ["changes": [change]]))]]))
            ],
        ])
    }

    private static var withoutEnvironment: JSObject {
        var members = Configs.experience("checkout", id: "10", ["enviroment": "production"])
        members["environment"] = nil
        return Configs.config(["experiences": [.object(members)]])
    }

    private static func exclusion(of key: String, order: [String] = ["first", "second"], more: [JSValue] = [])
        -> JSObject
    {
        let leaf = Configs.leaf("x", "equals", .string(key), negated: true, type: "bucketed_into_experience_key")
        return Configs.config([
            "audiences": [Configs.audience("5", Configs.rules([([leaf] + more).map { [$0] }]))],
            "experiences": .array(
                order.enumerated().map { index, key in
                    .object(
                        Configs.experience(
                            key, id: "1\(index)", ["audiences": key == "second" ? ["5"] : []]))
                }),
        ])
    }

    private static var references: [Defect] {
        var defects: [Defect] = []
        defects.append(
            Defect(.unknownReference, "$.experiences[0].audiences[0]", experience(["audiences": ["77"]])))
        defects.append(
            Defect(.unknownReference, "$.experiences[0].locations[0]", experience(["locations": ["77"]])))
        defects.append(
            Defect(.unknownReference, "$.experiences[0].goals[0]", experience(["goals": ["77"]])))
        defects.append(
            Defect(
                .unknownReference, "$.experiences[0].audiences[0]",
                Configs.config([
                    "audiences": [Configs.audience("5", Configs.all(plan))],
                    "experiences": [.object(Configs.experience("checkout", id: "10", ["audiences": [5]]))],
                ])))
        defects.append(
            Defect(
                .unknownReference, "$.experiences[0].variations[0].changes[0].data.feature_id",
                variations(
                    Configs.variation(
                        "1", "a", 100,
                        ["changes": [["id": 1, "type": "fullStackFeature", "data": ["feature_id": 77]]]]))))
        defects.append(
            Defect(.unknownReference, leafPath + ".value", exclusion(of: "thrid")))
        defects.append(
            Defect(
                .unknownReference, "$.archived_experiences[0]",
                Configs.config([
                    "archived_experiences": ["1001"],
                    "experiences": [.object(Configs.experience("checkout", id: "1002"))],
                ])))
        defects.append(
            Defect(
                .duplicateID, "$.audiences[1].id",
                Configs.audienceConfig(
                    Configs.all(plan),
                    [
                        "audiences": [
                            Configs.audience("5", Configs.all(plan)),
                            Configs.audience("5", Configs.all(plan), ["key": "o"]),
                        ]
                    ])))
        defects.append(
            Defect(
                .duplicateKey, "$.experiences[1].key",
                Configs.config([
                    "experiences": [
                        .object(Configs.experience("checkout", id: "10")),
                        .object(Configs.experience("checkout", id: "11")),
                    ]
                ])))
        defects.append(
            Defect(
                .duplicateID, "$.experiences[0].variations[1].id",
                variations(Configs.variation("1", "a", 50), Configs.variation("1", "b", 50))))
        defects.append(
            Defect(
                .duplicateID, "$.experiences[0].variations[1].id",
                variations(Configs.variation("1", "a", 50), Configs.variation("1", "b", 50, ["id": 1]))))
        defects.append(
            Defect(
                .caseVariants, "$.experiences[1].key",
                Configs.config([
                    "experiences": [
                        .object(Configs.experience("checkout", id: "10")),
                        .object(Configs.experience("Checkout", id: "11")),
                    ]
                ])))
        return defects
    }

    private static var truths: [Defect] {
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
                .conditionNeverHolds, leafPath,
                Configs.audienceConfig(Configs.rules([[[Configs.leaf("p", "isIn", 5), plan]]]))))
        defects.append(
            Defect(
                .conditionAlwaysHolds, "$.audiences[0].rules.OR[0].AND[0].OR_WHEN[0]",
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("p", "isIn", 5, negated: true), plan))))
        return defects
    }

    private static var conditions: [Defect] {
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
        return defects
    }

    private static var arms: [Defect] {
        var defects: [Defect] = []
        defects.append(
            Defect(
                .allocationBelow, "$.experiences[0].variations",
                variations(Configs.variation("1", "a", 30), Configs.variation("2", "b", 30))))
        defects.append(
            Defect(
                .allocationAbove, "$.experiences[0].variations",
                variations(Configs.variation("1", "a", 80), Configs.variation("2", "b", 80))))
        defects.append(
            Defect(
                .allocationZero, "$.experiences[0].variations",
                variations(Configs.variation("1", "a", 0), Configs.variation("2", "b", 0))))
        defects.append(
            Defect(
                .allocationNegative, "$.experiences[0].variations[0].traffic_allocation",
                variations(Configs.variation("1", "a", -5), Configs.variation("2", "b", 100))))
        defects.append(
            Defect(
                .allocationUnreadable, "$.experiences[0].variations[0].traffic_allocation",
                variations(Configs.variation("1", "a", "half"), Configs.variation("2", "b", 50))))
        defects.append(
            Defect(
                .anchoredOverlap, "$.experiences[0].variations",
                variations(Configs.variation("1", "a", 80), Configs.variation("2", "b", 80), version: 12)))
        defects.append(
            Defect(
                .variationUnreachable, "$.experiences[0].variations[1]",
                variations(Configs.variation("1", "a", 100), Configs.variation("2", "b", 50))))
        defects.append(
            Defect(
                .variationUnreachable, "$.experiences[0].variations[1]",
                variations(Configs.variation("1", "a", 100), Configs.variation("2", "b", 0))))
        defects.append(
            Defect(
                .variationUnreachable, "$.experiences[0].variations[1]",
                variations(Configs.variation("1", "a", 100), Configs.variation("2", "b", 50, ["status": "stopped"]))))
        defects.append(
            Defect(.allocationZero, "$.experiences[0].variations", variations()))
        return defects
    }

    private static var others: [Defect] {
        var defects: [Defect] = []
        defects.append(
            Defect(
                .variableCast, "$.experiences[0].variations[0].changes[0].data.variables_data.size",
                feature("integer", "large")))
        // Read as 1 and as 0.
        for (type, value) in [("integer", "1e3"), ("integer", 1e300), ("float", "0x1F")] as [(String, JSValue)] {
            defects.append(
                Defect(
                    .variableCast, "$.experiences[0].variations[0].changes[0].data.variables_data.size",
                    feature(type, value)))
        }
        defects.append(
            Defect(
                .variableCast, "$.experiences[0].variations[0].changes[0].data.variables_data.size",
                feature("json", "{a:1}")))
        defects.append(
            Defect(
                .variableCast, "$.experiences[0].variations[0].changes[0].data.variables_data.size",
                feature("boolean", "yes")))
        defects.append(
            Defect(
                .unreadMember, "$.experiences[0].variations[0].changes[0].data.variables_data.siez",
                feature("integer", 1, name: "siez")))
        defects.append(
            Defect(
                .featureUnused, "$.features[0]",
                Configs.config(["features": [["id": 7, "key": "form", "name": "F", "variables": []]]])))
        defects.append(
            Defect(
                .conditionsOverridden, leafPath, exclusion(of: "first", more: [plan])))
        defects.append(
            Defect(
                .exclusionOrder, "$.experiences[0].audiences[0]", exclusion(of: "first", order: ["second", "first"])))
        defects.append(
            Defect(.exclusionOrder, "$.experiences[1].audiences[0]", exclusion(of: "second")))
        defects.append(
            Defect(.unknownEnvironment, "$.experiences[0].environment", experience(["environment": 5])))
        defects.append(
            Defect(.unknownEnvironment, "$.experiences[0].environment", experience(["environment": "prodution"])))
        defects.append(
            Defect(.unreadMember, "$.experiences[0].enviroment", withoutEnvironment))
        return defects
    }

    static let defects: [Defect] = {
        var defects = references
        defects += truths
        defects += conditions
        defects += arms
        defects += others
        return defects
    }()

    @Test(arguments: defects)
    func theDefectIsFoundWhereItIs(defect: Defect) throws {
        let findings = try ConfigLint().findings(in: Configs.data(defect.config))
        #expect(
            findings.contains { $0.code == defect.code && $0.path == defect.path },
            "\(findings.map { "\($0.code.rawValue) \($0.path)" })")
        for finding in findings { #expect(!finding.message.isEmpty && !finding.remedy.isEmpty) }
    }

    @Test func theTableHoldsManyKinds() {
        #expect(Self.defects.count >= 40)
        #expect(Set(Self.defects.map(\.code)).count >= 30)
    }
}
