@testable import ConvertAnalysis
import ConvertECMAScript

/// Features, exclusions, environments and members.
extension SeededDefectsTests {
    static var others: [Defect] {
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
        defects.append(
            Defect(.unknownEnvironment, "$.experiences[0].environments[0]", experience(["environments": ["nope"]])))
        defects.append(
            Defect(
                .unreadMember, "$.experiences[0].settings.matching_options.audience",
                experience(["settings": ["matching_options": ["audience": "all"]]])))
        defects.append(
            Defect(
                .unreadMember, "$.experiences[0].settings.matching_option",
                experience(["settings": ["matching_option": ["audiences": "all"]]])))
        defects.append(
            Defect(
                .unreadMember, "$.experiences[0].variations[0].changes[0].data.variable_data",
                variations(
                    Configs.variation(
                        "1", "a", 100,
                        [
                            "changes": [
                                [
                                    "id": 1, "type": "fullStackFeature",
                                    "data": ["feature_id": 7, "variable_data": [:]],
                                ]
                            ]
                        ]))))
        return defects
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
}
