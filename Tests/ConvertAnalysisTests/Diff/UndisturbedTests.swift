import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Changes of experiences that no visitor enters.
struct UndisturbedTests {
    /// Archived, elsewhere, or without traffic: no visitor enters both in one call.
    @Test(arguments: ["archived", "elsewhere", "without traffic", "stopped"])
    func theOrderOfAnExperienceThatNoVisitorEntersDisturbsNothing(why: String) throws {
        let question = Configs.leaf("x", "equals", "one", negated: true, type: "bucketed_into_experience_key")
        var (one, two) = (Configs.experience("one", id: "1"), Configs.experience("two", id: "2", ["audiences": ["5"]]))
        var archived: [JSValue] = []
        switch why {
        case "archived": archived = ["1"]
        case "elsewhere": (one["environment"], two["environment"]) = ("staging", "production")
        case "stopped": one["variations"] = [.object(Configs.variation("11", "a", 50, ["status": "stopped"]))]
        default: one["variations"] = [.object(Configs.variation("11", "a", 0))]
        }
        func config(_ experiences: [JSObject]) -> JSObject {
            Configs.config([
                "audiences": [Configs.audience("5", Configs.all(question))],
                "experiences": .array(experiences.map { .object($0) }), "archived_experiences": .array(archived),
            ])
        }
        let found = try ConfigDiff().difference(
            from: Configs.data(config([one, two])), to: Configs.data(config([two, one])))
        #expect(!found.changesAnswers && found.disturbed.isEmpty)
    }

    @Test func anExperimentEndsInAnEnvironmentThatTheProjectDoesNotHave() throws {
        func config(_ environment: JSValue) -> JSObject {
            Configs.config([
                "experiences": [.object(Configs.experience("one", id: "1", ["environment": environment]))]
            ])
        }
        func difference(_ old: JSValue, _ new: JSValue) throws -> ConfigDifference.Experience {
            try ConfigDiff().difference(from: Configs.data(config(old)), to: Configs.data(config(new))).experiences[0]
        }
        for environment: JSValue in ["", "production"] {
            let ended = try difference(environment, "Production")
            #expect(ended.disturbance == .ended && ended.unknownEnvironment == "Production" && !ended.isEntered)
            // No visitor was in it, so that nothing is disturbed.
            #expect(try difference("Production", environment).disturbance == nil)
        }
        #expect(try difference("", "production").disturbance == .population)
    }
}
