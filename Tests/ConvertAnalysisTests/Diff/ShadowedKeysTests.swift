import ConvertAnalysis
import ConvertECMAScript
import Testing

/// Experiences whose keys find another experience, which comes first in the config.
struct ShadowedKeysTests {
    private static func config(_ experiences: JSObject...) -> JSObject {
        Configs.config(["experiences": .array(experiences.map { .object($0) })])
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    private static let running = Configs.experience("a", id: "2")

    @Test func aNewExperienceWithTheKeyOfARunningOneEndsIt() throws {
        let new = Self.config(Configs.experience("a", id: "9"), Self.running)
        let difference = try Self.difference(Self.config(Self.running), new)
        let found = difference.experiences[1]
        #expect(found.change == .shadowed && found.shadowingID == "9" && found.disturbance == .ended)
        #expect(found.isLeft && found.moved == 1 && found.moves.allSatisfy { $0.to == nil })
        #expect(difference.headline.contains("Calls by the key now find another experience: a."))
    }

    @Test func anExperienceThatIsRenamedToTheKeyOfARunningOneEndsIt() throws {
        let old = Self.config(Configs.experience("b", id: "1"), Self.running)
        let new = Self.config(Configs.experience("a", id: "1"), Self.running)
        let difference = try Self.difference(old, new)
        #expect(difference.experiences.map(\.change) == [.renamed, .shadowed])
        #expect(difference.experiences[1].disturbance == .ended)
    }

    @Test func anExperienceStartsOnceNoOtherOneHasItsKey() throws {
        let old = Self.config(Configs.experience("a", id: "9"), Self.running)
        let difference = try Self.difference(old, Self.config(Self.running))
        #expect(difference.experiences.map(\.change) == [.unshadowed, .removed])
        let found = difference.experiences[0]
        #expect(found.isEntered && found.shadowingID == "9" && found.moves.allSatisfy { $0.from == nil })
    }

    @Test func editsOfAShadowedExperienceChangeNoAnswer() throws {
        let other = Configs.experience("a", id: "9")
        let edited = Configs.experience("a", id: "2", ["environment": "staging", "variations": []])
        #expect(try !Self.difference(Self.config(other, Self.running), Self.config(other, edited)).changesAnswers)
    }
}
