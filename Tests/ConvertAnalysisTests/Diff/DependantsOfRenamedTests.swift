import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// Experiences whose audiences ask about others by a key that names no experience any more, or another one.
struct DependantsOfRenamedTests {
    /// `a` takes half of the visitors, `b` keeps out its visitors, and `c` lets in only these.
    private static func config(_ keys: [String] = ["a", "z"], asking: String = "a") -> JSObject {
        func audience(_ id: String, keepsOut: Bool) -> JSValue {
            Configs.audience(
                id,
                Configs.all(
                    Configs.leaf(
                        "x", "equals", .string(asking), negated: keepsOut, type: "bucketed_into_experience_key")))
        }
        let half: JSObject = ["variations": [.object(Configs.variation("1", "v", 50))]]
        return Configs.config([
            "audiences": [audience("5", keepsOut: true), audience("6", keepsOut: false)],
            "experiences": [
                .object(Configs.experience(keys[0], id: "10", half)),
                .object(Configs.experience(keys[1], id: "11", half)),
                .object(Configs.experience("b", id: "12", ["audiences": ["5"]])),
                .object(Configs.experience("c", id: "13", ["audiences": ["6"]])),
            ],
        ])
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> [ConfigDifference.Experience] {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new)).experiences
    }

    @Test func aRenameListsTheExperiencesThatAskForTheOldKey() throws {
        let found = try Self.difference(Self.config(), Self.config(["a2", "z"]))
        #expect(found[0].change == .renamed && found[0].moved == 0)
        #expect(found[2].dependence?.dependsOn == ["a2"] && found[2].dependence?.change == .wider)
        #expect(found[2].dependence?.admittedBefore == 0.5 && found[2].dependence?.admittedAfter == 1)
        #expect(found[2].moved == 0.5 && found[2].disturbance == .population)
        #expect(found[3].dependence?.dependsOn == ["a2"] && found[3].dependence?.change == .narrower)
        #expect(found[3].moved == 0.5 && found[3].disturbance == .ended)
        #expect(found[2].facts.contains("changed by a2: it lets in more visitors (wider)"))
        #expect(found[2].admission == "wider, by other experiences")
        // Decisions are stored by id: visitors keep theirs, and no question finds them any more.
        #expect(found[0].storedMoved == 0 && found[2].storedMoved == 0 && found[3].storedMoved == 1)
    }

    @Test func aRenameThatTheAudiencesFollowChangesNoDependant() throws {
        let found = try Self.difference(Self.config(), Self.config(["a2", "z"], asking: "a2"))
        #expect(found[0].change == .renamed)
        #expect(found[2...].allSatisfy { !$0.changesAnswers })
    }

    @Test func experiencesThatSwapTheirKeysAreBothNamed() throws {
        let found = try Self.difference(Self.config(), Self.config(["z", "a"]))
        #expect(found[2].dependence?.dependsOn == ["a", "z"])
        #expect(found[2].dependence?.admittedAfter == 0.5 && found[2].moved == 0.5)
    }

    @Test func anExperienceThatIsGoneIsNoEditOfThoseThatAskAboutIt() throws {
        var new = Self.config()
        new["experiences"] = .array(Array((new["experiences"]?.arrayValue ?? []).dropFirst()))
        let found = try Self.difference(Self.config(), new)[1]
        #expect(found.key == "b" && found.dependence?.dependsOn == ["a"] && found.dependence?.hasOwnEdits == false)
    }

    @Test func aRenameOfALaterExperienceIsNamedToo() throws {
        func config(_ key: String) -> JSObject {
            var config = Self.config(asking: "later")
            config["experiences"] = .array(
                (config["experiences"]?.arrayValue ?? []) + [.object(Configs.experience(key, id: "14"))])
            return config
        }
        let found = try Self.difference(config("later"), config("later2"))[2]
        #expect(found.audience == .wider && found.dependence?.dependsOn == ["later2"])
        // At a second call they were kept out by what the first one stored.
        #expect(found.storedMoved == 1 && found.moved == 0)
    }
}
