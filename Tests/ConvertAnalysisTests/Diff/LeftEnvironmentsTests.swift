import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Experiences that leave an environment or enter one.
struct LeftEnvironmentsTests {
    /// `a` takes 60 % of all visitors, and `b` keeps these out.
    private static func config(_ environment: JSValue, asks: Bool = true) -> JSObject {
        let question = Configs.leaf("x", "equals", "a", negated: true, type: "bucketed_into_experience_key")
        let share = Configs.variation("1", "v", 60)
        return Configs.config([
            "audiences": [Configs.audience("5", Configs.all(question))],
            "experiences": [
                .object(
                    Configs.experience("a", id: "10", ["variations": [.object(share)], "environment": environment])),
                .object(Configs.experience("b", id: "11", ["audiences": asks ? ["5"] : []])),
            ],
        ])
    }

    private static func changes(_ old: JSObject, _ new: JSObject) throws -> [ConfigDifference.Experience] {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new)).experiences
    }

    @Test func anExperienceThatLeavesAnEnvironmentMovesItsVisitorsThere() throws {
        let found = try Self.changes(Self.config(""), Self.config("production"))[0]
        #expect(found.moved == 0.6 && found.moves.allSatisfy { $0.to == nil } && found.basis.environment == "staging")
        #expect(found.storedMoved == 1 && found.isLeft && !found.isEntered)
        #expect(found.newVisitors == "the new visitors in the environment staging who meet its rules")
    }

    @Test func anExperienceThatEntersAnEnvironmentMovesItsVisitorsThere() throws {
        let found = try Self.changes(Self.config("production"), Self.config(""))[0]
        #expect(found.moved == 0.6 && found.moves.allSatisfy { $0.from == nil } && found.basis.environment == "staging")
        #expect(found.storedMoved == 0 && !found.isLeft && found.isEntered)
    }

    @Test func anExampleOfAnEnvironmentThatIsLeftIsDecidedThere() throws {
        let found = try Self.changes(Self.config(""), Self.config("production"))[0]
        #expect(found.leaves != nil && found.leavesEnvironment == "staging" && found.enters == nil)
    }

    @Test func anExampleOfAnEnvironmentThatIsEnteredIsDecidedThere() throws {
        let found = try Self.changes(Self.config("production"), Self.config(""))[0]
        #expect(found.enters != nil && found.entersEnvironment == "staging" && found.leaves == nil)
    }

    @Test func anExperienceThatDependsOnOneThatLeavesAnEnvironmentIsDecided() throws {
        let found = try Self.changes(Self.config(""), Self.config("production"))[1]
        #expect(found.dependence?.change == .wider && found.dependence?.entersEnvironment == "staging")
        #expect(abs(found.moved - 0.6) < 1e-9 && found.basis.environment == "staging")
    }

    @Test func aProjectWithOneEnvironmentLosesNoVisitorThere() throws {
        func config(_ environment: JSValue) -> JSObject {
            var config = Self.config(environment, asks: false)
            config["project"] = ["id": "2", "environments": ["production"]]
            return config
        }
        #expect(try Self.changes(config(""), config("production"))[0].moved == 0)
    }
}
