import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Keys that become others: calls by the old one get nothing.
struct RenamingsTests {
    private static func config(_ key: String, _ feature: String, _ allocation: JSValue = 50) -> JSObject {
        Configs.config([
            "features": [["id": "7", "key": .string(feature), "variables": []]],
            "experiences": [
                .object(
                    Configs.experience(
                        key, id: "10",
                        [
                            "variations": [
                                .object(
                                    Configs.variation(
                                        "1", "a", allocation,
                                        [
                                            "changes": [
                                                [
                                                    "type": "fullStackFeature",
                                                    "data": ["feature_id": "7", "variables_data": [:]],
                                                ]
                                            ]
                                        ])),
                                .object(Configs.variation("2", "b", 50)),
                            ]
                        ]))
            ],
        ])
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    @Test func theHeadlineNamesARenamingBesideAnotherDisturbance() throws {
        let found = try Self.difference(Self.config("a", "box"), Self.config("z", "box", 20))
        #expect(found.disturbed.first?.disturbance == .sampleRatio)
        #expect(found.headline.contains("sample ratio to break in z"))
        #expect(found.headline.hasSuffix("Calls by the old key get nothing: a."))
    }

    @Test func aRenamedFeatureNamesItsOldKey() throws {
        let found = try Self.difference(Self.config("a", "box"), Self.config("a", "crate"))
        #expect(found.features.map(\.change) == [.renamed])
        #expect(found.features.first?.key == "crate" && found.features.first?.oldKey == "box")
        #expect(found.headline.hasPrefix("1 running experiment is disturbed. Visitors read other features"))
        #expect(found.headline.hasSuffix("Calls by the old key get nothing: feature box."))
        #expect(found.json.contains(#""oldKey":"box""#) && found.changesAnswers)
        let same = try Self.difference(Self.config("a", "box"), Self.config("a", "box"))
        #expect(same.features.isEmpty)
    }

    @Test func theBarsOfAPageFollowTheSemantics() throws {
        // Under the reference's semantics a variation whose id is a number is not found.
        let config = Configs.config([
            "experiences": [
                .object(
                    Configs.experience(
                        "a", id: "10",
                        [
                            "variations": [
                                .object(Configs.variation("", "first", 50, ["id": 1])),
                                .object(Configs.variation("2", "second", 50)),
                            ]
                        ]))
            ]
        ])
        let model = try ProjectConfig(json: Configs.data(config))
        let standard = LintReport([], in: model, semantics: .standard).html
        let javaScript = LintReport([], in: model, semantics: .javaScript).html
        #expect(standard.contains("first 50.00 %") && !javaScript.contains("first 50.00 %"))
    }
}
