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

    /// An experience with a rule that lets in more visitors, in a config that lets in none.
    @Test(arguments: ["elsewhere", "without traffic", "contradictory", "excluded"])
    func aVisitorIsNotSaidToEnterWhereNoneCanAndTheReasonIs(why: String) throws {
        func config(_ plans: JSValue, isClosed: Bool) -> JSObject {
            let plan = Configs.leaf("plan", "isIn", plans)
            var one = Configs.experience("one", id: "1", ["audiences": ["5", "6"]])
            one["settings"] = ["matching_options": ["audiences": "all"]]
            var other = Configs.leaf("plan", "equals", "never", negated: true)
            var share: JSValue = 50
            switch why {
            case _ where !isClosed: break
            case "elsewhere": one["environment"] = "nowhere"
            case "without traffic": share = 0
            case "contradictory": other = Configs.leaf("plan", "doesNotExist", nil)
            default: other = Configs.leaf("x", "equals", "all", negated: true, type: "bucketed_into_experience_key")
            }
            one["variations"] = [
                .object(Configs.variation("11", "a", share)), .object(Configs.variation("12", "b", share)),
            ]
            return Configs.config([
                "audiences": [Configs.audience("5", Configs.all(plan)), Configs.audience("6", Configs.all(other))],
                "experiences": [.object(Configs.experience("all", id: "2")), .object(one)],
            ])
        }
        let (old, new) = (config("pro", isClosed: false), config("pro|team", isClosed: true))
        let found = try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new)).experiences[1]
        #expect(
            found.disturbance == .ended
                && !found.witnesses.contains { $0.label == "enters" || $0.label.hasPrefix("enters (") })
        // Stored decisions need no traffic.
        #expect((found.storedEnters != nil) == (why == "without traffic"))
        let reason =
            switch why {
            case "elsewhere": "the project has no environment 'nowhere'"
            case "without traffic": "none of its variations gets traffic"
            case "contradictory": "its audiences cannot all match"
            default: "its audiences ask about all, which leave it no new visitor"
            }
        #expect(found.facts.contains("no new visitor gets a variation: \(reason)"))
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
            #expect(ended.obstacle == "the project has no environment 'Production'")
            // No visitor was in it, so that nothing is disturbed.
            #expect(try difference("Production", environment).disturbance == nil)
        }
        #expect(try difference("", "production").disturbance == .population)
    }
}
