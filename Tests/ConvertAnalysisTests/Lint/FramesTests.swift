@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Values of another shape than is read, in whose place something else counts.
struct FramesTests {
    static let frames: [(path: String, config: JSObject)] = {
        func experience(_ changes: JSObject) -> JSObject { SeededDefectsTests.experience(changes) }
        let first = "$.experiences[0]"
        let rules = Configs.all(SeededDefectsTests.plan)
        return [
            (first + ".audiences", experience(["audiences": "a1"])),
            (first + ".locations", experience(["locations": "a1"])),
            (first + ".goals", experience(["goals": "90"])),
            (first + ".version", experience(["version": "v12"])),
            (
                first + ".settings.matching_options.audiences",
                experience(["settings": ["matching_options": ["audiences": "both"]]])
            ),
            (
                first + ".settings.matching_options.audiences",
                experience(["settings": ["matching_options": ["audiences": "ALL"]]])
            ),
            (first + ".settings.matching_options", experience(["settings": ["matching_options": "all"]])),
            (
                first + ".variations[0].status",
                SeededDefectsTests.variations(Configs.variation("1", "a", 100, ["status": "Running"]))
            ),
            (
                first + ".variations[0].changes[0].type",
                SeededDefectsTests.variations(
                    Configs.variation(
                        "1", "a", 100, ["changes": [["type": "fullstackFeature", "data": ["feature_id": "7"]]]]))
            ),
            (
                "$.audiences[0].type",
                Configs.audienceConfig(
                    .null,
                    ["audiences": [Configs.audience("5", rules, ["type": "permanant"])]])
            ),
            (
                "$.features[0].variables[0].type",
                Configs.config([
                    "features": [["id": "7", "key": "box", "variables": [["key": "size", "type": "int"]]]]
                ])
            ),
            (first + ".status", experience(["status": "paused"])), (first + ".key", experience(["key": ""])),
            ("$.features[0].key", Configs.config(["features": [["id": "7"]]])),
            ("$.archived_experiences[0]", Configs.config(["archived_experiences": ["checkout"]])),
            ("$.archived_experiences[0]", Configs.config(["archived_experiences": [["id": "10"]]])),
            (
                first + ".variations[0].changes[0].type",
                SeededDefectsTests.variations(
                    Configs.variation("1", "a", 100, ["changes": [["type": "feature", "data": ["feature_id": "7"]]]]))
            ),
            (
                SeededDefectsTests.leafPath + ".rule_type",
                Configs.audienceConfig(
                    Configs.all(Configs.leaf("p", "equals", "checkout", type: "bucketed_into_experience")))
            ),
            (first + ".environments", experience(["environments": "production"])),
            (
                first + ".variations[0].key",
                SeededDefectsTests.variations(Configs.variation("1", "", 100))
            ),
            (
                SeededDefectsTests.leafPath + ".value",
                Configs.audienceConfig(Configs.all(Configs.leaf("p", "exists", false)))
            ),
            ("$.goals[1].key", Configs.config(["goals": [["id": "90", "key": "order"], ["id": "91"]]])),
            (
                SeededDefectsTests.leafPath + ".key",
                Configs.audienceConfig(
                    Configs.all([
                        "rule_type": "generic_text_key_value", "value": "x",
                        "matching": ["match_type": "equals", "negated": false],
                    ]))
            ),
            (first + ".settings", experience(["settings": "all"])),
            (first + ".settings.audiences", experience(["settings": ["audiences": "all"]])),
            (
                "$.audiences[0].status",
                Configs.audienceConfig(.null, ["audiences": [Configs.audience("5", rules, ["status": "archived"])]])
            ),
            ("$.goals[0].status", Configs.config(["goals": [["id": "90", "key": "order", "status": "disabled"]]])),
            ("$.goals[0].status", Configs.config(["goals": [["id": "90", "key": "order", "status": "off"]]])),
            ("$.features[0].status", Configs.config(["features": [["id": "7", "key": "box", "status": "archived"]]])),
            (first + ".goals[1]", experience(["goals": ["90", "90"]])),
            (
                first + ".audiences[1]",
                Configs.audienceConfig(
                    .null,
                    [
                        "audiences": [Configs.audience("5", rules)],
                        "experiences": [.object(Configs.experience("checkout", id: "10", ["audiences": ["5", "5"]]))],
                    ])
            ),
        ]
    }()

    @Test(arguments: frames.indices)
    func aMemberThatIsReadOtherwiseIsAWarning(index: Int) throws {
        let frame = Self.frames[index]
        let findings = try ConfigLint().findings(in: Configs.data(frame.config))
        let found = findings.filter { $0.path == frame.path }
        #expect(found.contains { $0.code == .readOtherwise && $0.severity == .warning }, "\(findings)")
    }

    @Test(
        arguments: [
            ("negated", true, #"Write "matching": {"match_type": "equals", "negated": true} in place of it."#),
            ("match_type", "equals", "Remove it: matching says the same."),
            ("match_type", "startsWith", "Write in 'matching' what is meant, and remove this member."),
        ] as [(String, JSValue, String)])
    func aMemberOfTheWrongObjectIsAWarning(name: String, value: JSValue, remedy: String) throws {
        var leaf = try #require(Configs.leaf("p", "equals", "x").objectValue)
        leaf[name] = value
        let findings = try ConfigLint().findings(in: Configs.data(Configs.audienceConfig(Configs.all(.object(leaf)))))
        let found = findings.first { $0.path == SeededDefectsTests.leafPath + "." + name }
        #expect(found?.code == .unreadMember && found?.severity == .warning)
        #expect(found?.remedy == remedy)
    }
}
