import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// The experiences to which a difference's counts of visitors belong.
struct CountedExperiencesTests {
    private static let visitors = (0..<300).map { PopulationVisitor(visitorID: "v\($0)") }

    private static func config(_ experiences: JSObject...) -> JSObject {
        Configs.config(["experiences": .array(experiences.map { .object($0) })])
    }

    private static func one(of id: String, key: String, _ variation: String) -> JSObject {
        Configs.experience(
            key, id: id, ["variations": [.object(Configs.variation("\(id)-\(variation)", variation, 100))]])
    }

    private static func keyless(_ id: String, _ changes: JSObject = JSObject()) -> JSObject {
        var experience = Configs.experience("", id: id, changes)
        experience["key"] = nil
        return experience
    }

    private static func counted(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(
            from: Configs.data(old), to: Configs.data(new), environment: "staging", visitors: visitors)
    }

    private static func counted(_ old: JSObject, _ new: JSObject, log call: (Int) -> String) throws -> ConfigDifference
    {
        let lines = visitors.indices.map { #"{"visitorId":"v\#($0)",\#(call($0))}"# + "\n" }.joined()
        let (old, new) = (
            try ProjectConfig(json: Configs.data(old)), try ProjectConfig(json: Configs.data(new))
        )
        return try ConfigDiff().difference(
            from: old, to: new, over: .log(environment: "staging"), threads: 1,
            read: InputInPieces(lines.utf8).read
        ).difference
    }

    /// The moves of a population, such as `a → b: 5`.
    private static func moves(_ experience: ConfigDifference.Experience) -> [String] {
        experience.population?.moves.map { "\($0.from ?? "none") → \($0.to ?? "none"): \($0.count)" } ?? []
    }

    /// `two` takes the key of `one`, which calls no longer find.
    private static let (before, after) = (
        config(one(of: "10", key: "one", "a"), one(of: "11", key: "two", "b")),
        config(one(of: "11", key: "one", "b"), one(of: "10", key: "one", "a"))
    )

    @Test func aShadowedExperienceLosesItsOwnVisitors() throws {
        let found = try Self.counted(Self.before, Self.after)
        #expect(found.experiences.map(\.change) == [.renamed, .shadowed])
        #expect(found.experiences.map(Self.moves) == [[], ["a → none: 300"]])
        let logged = try Self.counted(Self.before, Self.after) { _ in #""call":{"all":true},"decisions":{}"# }
        #expect(logged.experiences.map(Self.moves) == [[], ["a → none: 300"]])
    }

    @Test func aCallByIDFindsAShadowedExperience() throws {
        let found = try Self.counted(Self.before, Self.after) { _ in
            #""call":{"byId":true},"decisions":{"10":"a","11":"b"}"#
        }
        #expect(found.experiences.map { $0.population?.moved } == [0, 0])
    }

    @Test func anExperienceWithAKeyOfTwoIsCountedByItsOwnVisitors() throws {
        let new = Self.config(Self.one(of: "11", key: "one", "c"), Self.one(of: "10", key: "one", "a"))
        let found = try Self.counted(Self.before, new)
        #expect(found.experiences.map(Self.moves) == [["b → c: 300"], ["a → none: 300"]])
    }

    @Test func experiencesWithoutKeysAreCountedApartAndNamedByTheirIDs() throws {
        let other = [.object(Configs.variation("101", "z", 100))] as JSValue
        let found = try Self.counted(
            Self.config(Self.keyless("10"), Self.keyless("11")),
            Self.config(Self.keyless("10", ["variations": other]), Self.keyless("11")))
        #expect(found.experiences.map(\.key) == ["10", "11"])
        #expect(found.experiences.map(\.changesAnswers) == [true, false])
        #expect(found.experiences.map { $0.population?.moved ?? 0 > 0 } == [true, false])
    }

    @Test func anExperienceWithAnotherIDIsCountedByItsKey() throws {
        let found = try Self.counted(
            Self.config(Self.one(of: "10", key: "one", "a")), Self.config(Self.one(of: "12", key: "one", "b")))
        #expect(found.experiences.map(Self.moves) == [["a → b: 300"]])
    }

    @Test func theBarsOfAPageAreThoseOfTheExperienceItself() throws {
        let new = Self.config(Self.one(of: "11", key: "one", "c"), Self.one(of: "10", key: "one", "a"))
        let found = try Self.counted(Self.before, new)
        let page = found.html(
            from: try ProjectConfig(json: Configs.data(Self.before)), to: try ProjectConfig(json: Configs.data(new)),
            semantics: .standard)
        let sections = page.components(separatedBy: #"<section id="change-"#)
        try #require(sections.count == 3)
        #expect(sections[1].contains("in one after"))
        #expect(sections[2].contains("in one before") && !sections[2].contains("in one after"))
    }

    @Test func aPageHasBarsOfExperiencesWithoutKeys() throws {
        let (old, new) = (Self.config(Self.keyless("10")), Self.config(Self.keyless("10", ["variations": []])))
        let page = try Self.counted(old, new).html(
            from: try ProjectConfig(json: Configs.data(old)), to: try ProjectConfig(json: Configs.data(new)),
            semantics: .standard)
        #expect(page.contains("in 10 before") && page.contains("in 10 after"))
    }
}
