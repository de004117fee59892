@testable import ConvertAnalysis
import ConvertECMAScript

/// Ids that name nothing or occur twice, and names that differ in case.
extension SeededDefectsTests {
    static var references: [Defect] {
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
        defects.append(
            Defect(
                .caseVariants, "$.experiences[0].variations[1].key",
                variations(Configs.variation("1", "a", 50), Configs.variation("2", "A", 50))))
        defects.append(
            Defect(
                .malformed, "$.experiences[0].variations[0].id",
                variations(Configs.variation("1", "a", 50, ["id": true]), Configs.variation("2", "b", 50))))
        defects.append(Defect(.malformed, "$.experiences[0].id", experience(["id": true])))
        defects.append(
            Defect(
                .malformed, "$.experiences[0].variations[0].id",
                variations(Configs.variation("\u{FFFD}", "a", 50), Configs.variation("2", "b", 50))))
        return defects
    }
}
