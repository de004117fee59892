import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Features that visitors of running experiments read otherwise, although no variation changes.
struct OtherwiseReadFeaturesTests {
    private static func arm(_ id: String, _ share: JSValue, _ size: JSValue?) -> JSValue {
        let changes = size.map { size -> JSValue in
            [["type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": ["size": size]]]]
        }
        return .object(Configs.variation(id, "v\(id)", share, ["changes": changes ?? []]))
    }

    /// Both variations of `one` carry the feature, and one of `two`. `three` does not carry it.
    private static func config(
        _ order: [String] = ["one", "two", "three"], key: JSValue = "flow", size: JSValue = 3,
        environments: (JSValue, JSValue) = ("", "")
    ) -> JSObject {
        let experiences: [String: JSObject] = [
            "one": Configs.experience(
                "one", id: "1",
                ["variations": [arm("11", 50, 1), arm("12", 50, 2)], "environment": environments.0]),
            "two": Configs.experience(
                "two", id: "2",
                ["variations": [arm("21", 30, nil), arm("22", 30, size)], "environment": environments.1]),
            "three": Configs.experience("three", id: "3"),
        ]
        return Configs.config([
            "features": [["id": "7", "key": key, "variables": [["key": "size", "type": "integer"]]]],
            "experiences": .array(order.compactMap { experiences[$0] }.map { .object($0) }),
        ])
    }

    private static func difference(_ new: JSObject, from old: JSObject = config()) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    @Test func anotherOrderOfCarriersDisturbsTheExperimentsOfItsReaders() throws {
        let difference = try Self.difference(Self.config(["two", "one", "three"]))
        #expect(difference.disturbed.map(\.key) == ["two", "one"])
        #expect(difference.disturbed.allSatisfy { $0.disturbance == .treatment && $0.change == .changed })
        #expect(difference.headline.contains("Visitors read other features or variables in two, one, because"))
    }

    @Test func aRenamedFeatureDisturbsTheExperimentsThatCarryIt() throws {
        let difference = try Self.difference(Self.config(key: "stream"))
        #expect(difference.disturbed.map(\.key) == ["one", "two"])
        #expect(difference.disturbed.allSatisfy { $0.disturbance == .treatment })
        #expect(difference.headline.contains("Calls by the old key get nothing: feature flow."))
    }

    @Test func anotherOrderOfExperiencesThatNoVisitorHasBothOfDisturbsNone() throws {
        func config(_ order: [String]) -> JSObject {
            Self.config(order, environments: ("staging", "production"))
        }
        let found = try Self.difference(
            config(["two", "one", "three"]), from: config(["one", "two", "three"]))
        #expect(found.disturbed.isEmpty)
    }

    @Test func anOrderWithTheSameCarriersDisturbsNone() throws {
        #expect(try Self.difference(Self.config(["three", "one", "two"])).disturbed.isEmpty)
    }

    @Test func otherVariablesAreSaidToBeCarried() throws {
        let difference = try Self.difference(Self.config(size: 4))
        #expect(difference.disturbed.map(\.key) == ["two"])
        #expect(difference.headline.contains("Variations carry other features or variables in two"))
    }
}
