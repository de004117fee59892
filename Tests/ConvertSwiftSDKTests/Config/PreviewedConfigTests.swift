import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

@testable import ConvertSwiftSDK

struct PreviewedConfigTests {
    private func config(_ members: JSObject) throws -> ProjectConfig {
        try ProjectConfig(.object((["account_id": "1", "project": ["id": "2"]] as JSObject).deepMerging(members)))
    }

    private func experience(_ key: String, id: String) -> JSValue { ["id": .string(id), "key": .string(key)] }

    private func feature(_ id: String, _ key: String) -> JSValue { ["id": .string(id), "key": .string(key)] }

    @Test func previewedIDsAreComparedByCodeUnits() throws {
        let composed = "\u{e9}", decomposed = "e\u{301}"
        let own = try config([
            "experiences": [experience("own", id: composed)], "features": [feature(composed, "own")],
        ])
        let other = try config([
            "experiences": [experience("other", id: decomposed)], "features": [feature(decomposed, "other")],
        ])
        #expect(own.borrowing(experienceID: composed, from: other) == nil)
        let merged = try #require(own.borrowing(experienceID: decomposed, from: other))
        #expect(merged.experiences.map(\.key) == ["own", "other"])
        #expect(merged.features.count == 2)
    }

    @Test func aPreviewReplacesItsExperienceAndAddsOnlyNewFeatures() throws {
        let own = try config([
            "experiences": [experience("a", id: "id-a"), experience("b", id: "id-b"), experience("c", id: "id-c")],
            "features": [feature("7", "own")],
        ])
        let other = try config([
            "experiences": [experience("changed", id: "id-b")],
            "features": [feature("7", "other"), feature("8", "new")],
        ])
        let merged = try #require(own.borrowing(experienceID: "id-b", from: other))
        #expect(merged.experiences.map(\.key) == ["a", "changed", "c"])
        #expect(merged.features.map(\.key) == ["own", "new"])
    }

    @Test(arguments: [["account_id": "9"], ["project": ["id": "9"]]] as [JSObject])
    func aPreviewOfAnotherAccountOrProjectIsIgnored(members: JSObject) throws {
        let own = try config([:])
        let other = try config((["experiences": [experience("e", id: "id-e")]] as JSObject).deepMerging(members))
        #expect(own.borrowing(experienceID: "id-e", from: other) == nil)
    }

    @Test(arguments: [(0, true), (1, true), (2, false)]) func nestingIsCountedFromTheOutside(depth: Int, isDeeper: Bool)
    {
        for value in [[[7]], ["a": ["b": 7]]] as [JSValue] { #expect(value.isNested(deeperThan: depth) == isDeeper) }
    }
}
