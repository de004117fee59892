import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

@testable import ConvertAnalysis

/// Features that variations carry and the config does not declare: a call for all features returns them by their ids.
struct UndeclaredFeaturesTests {
    private static func config(carrying ids: JSValue..., declaring declared: [JSValue] = [], size: JSValue = 1)
        -> JSObject
    {
        let changes = ids.map { id -> JSValue in
            ["id": 1, "type": "fullStackFeature", "data": ["feature_id": id, "variables_data": ["size": size]]]
        }
        return Configs.config([
            "features": .array(declared.map { ["id": $0, "key": "form"] }),
            "experiences": [
                .object(
                    Configs.experience(
                        "checkout", id: "10",
                        ["variations": [.object(Configs.variation("1", "a", 100, ["changes": .array(changes)]))]]))
            ],
        ])
    }

    private static func features(_ old: JSObject, _ new: JSObject) throws -> [ConfigDifference.Feature] {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new)).features
    }

    @Test func newKeysOfExperiencesAndVariationsChangeNoFeature() throws {
        func config(_ key: String, _ variation: String, size: JSValue = 1) -> JSObject {
            let change: JSValue = [
                "type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": ["size": size]],
            ]
            let arm = Configs.variation("1", variation, 100, ["changes": [change]])
            return Configs.config([
                "features": [["id": "7", "key": "form"]],
                "experiences": [.object(Configs.experience(key, id: "10", ["variations": [.object(arm)]]))],
            ])
        }
        #expect(try Self.features(config("old", "a"), config("new", "b")).isEmpty)
        let found = try Self.features(config("old", "a"), config("new", "b", size: 2))
        #expect(found.first?.values.map(\.experience) == ["new"] && found.first?.values.map(\.variation) == ["b"])
        #expect(found.first?.values.first?.before == "{\"size\":1}")
    }

    @Test func changesAreReported() throws {
        #expect(try Self.features(Self.config(carrying: 7), Self.config(carrying: 7)).isEmpty)
        let changed = try Self.features(Self.config(carrying: 7), Self.config(carrying: 7, size: 2))
        #expect(changed.map(\.key) == ["7"] && changed.map(\.change) == [.changed])
        #expect(changed.map(\.experiences) == [["checkout"]])
        let added = try Self.features(Self.config(), Self.config(carrying: "7"))
        #expect(added.map(\.key) == ["7"] && added.map(\.change) == [.added])
        #expect(added.first?.values.map(\.before) == [nil])
        let declared = try Self.features(Self.config(carrying: 7), Self.config(carrying: 7, declaring: [7]))
        #expect(declared.map(\.key) == ["form"] && declared.map(\.change) == [.added])
        #expect(declared.first?.values.map(\.before) == [nil])
        // The engine carries none whose id counts as false.
        #expect(try Self.features(Self.config(), Self.config(carrying: 0)).isEmpty)
        #expect(try Self.features(Self.config(), Self.config(carrying: true)).map(\.key) == ["true"])
    }

    /// As many as the engine gives, with a key or without.
    @Test func theEngineGivesThem() throws {
        let model = try ProjectConfig(json: Configs.data(Self.config(carrying: 7, true, 0)))
        let features = FeatureManager(experiences: ExperienceManager(project: Project(model)))
        var visitor = features.experiences.visitor(id: "v")
        let found = features.features(for: &visitor, options: DecisionOptions()).value.features
        #expect(found.filter { $0.status == .enabled }.map(\.id) == ["7", "true"])
    }
}
