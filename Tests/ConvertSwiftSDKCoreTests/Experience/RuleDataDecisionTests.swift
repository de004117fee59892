import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct RuleDataDecisionTests {
    /// Gives one answer to everything.
    struct Constant: RuleData {
        let answer: RuleDataAnswer

        func answer(for condition: RuleCondition) -> RuleDataAnswer { answer }
    }

    /// Gives each key its answer.
    struct ByKey: RuleData {
        let answers: [String: RuleDataAnswer]

        func answer(for condition: RuleCondition) -> RuleDataAnswer { answers[condition.key ?? ""] ?? .unsupported }
    }

    static let answers: [(answer: RuleDataAnswer, closes: Bool, reason: Decision.Reason?)] = [
        (.value("yes"), false, nil), (.value("no"), true, nil), (.value(nil), true, nil), (.result(true), false, nil),
        (.result(false), true, nil), (.unsupported, true, nil), (.needMoreData, true, .needMoreData),
        (.noDataFound, true, .noDataFound),
    ]

    @Test(arguments: answers)
    func anAnswerAboutTheVisitorTravelsOut(answer: RuleDataAnswer, closes: Bool, reason: Decision.Reason?) throws {
        let manager = try ExperienceManager([
            "audiences": [audience("a", asking: "a")], "experiences": [experience("e", ["audiences": ["a"]])],
        ])
        let decision = manager.decide("e") { $0.visitorData = Constant(answer: answer) }
        #expect(decision.reason == (closes ? reason ?? .audienceNotMatched : nil))
    }

    @Test(arguments: answers)
    func anAnswerAboutTheLocationTravelsOut(answer: RuleDataAnswer, closes: Bool, reason: Decision.Reason?) throws {
        let manager = try ExperienceManager([
            "locations": [place("l", asking: "a")], "experiences": [experience("e", ["locations": ["l"]])],
        ])
        let decision = manager.decide("e") { $0.locationData = Constant(answer: answer) }
        #expect(decision.reason == (closes ? reason ?? .locationNotMatched : nil))
    }

    @Test(arguments: answers)
    func anAnswerAboutTheSiteAreaTravelsOut(answer: RuleDataAnswer, closes: Bool, reason: Decision.Reason?) throws {
        let restricted = experience("e", ["site_area": rules([leaf("a", "equals", "yes")])])
        let manager = try ExperienceManager(["experiences": [restricted]])
        let decision = manager.decide("e") { $0.locationData = Constant(answer: answer) }
        #expect(decision.reason == (closes ? reason ?? .locationNotMatched : nil))
    }

    @Test(arguments: RuleSemantics.allCases)
    func locationDataIsAsGoodAsLocationProperties(semantics: RuleSemantics) throws {
        let manager = try ExperienceManager(["experiences": [experience("e")]], semantics)
        let decision = manager.decide("e") { options in
            options.locationProperties = nil
            options.locationData = Constant(answer: .unsupported)
        }
        #expect(decision.variation != nil)
    }

    @Test func missingLocationDataChangesNoStoredPresence() throws {
        let manager = try ExperienceManager([
            "locations": [place("l", asking: "a")], "experiences": [experience("e", ["locations": ["l"]])],
        ])
        let state = try VisitorState(wire: ["locations": ["key-a"]])
        var visitor = manager.visitor(id: "visitor", state: state)
        let options = DecisionOptions.located { $0.locationData = Constant(answer: .needMoreData) }
        #expect(manager.selectVariation("e", for: &visitor, options: options).effects == [])
        #expect(visitor.state == state)
    }

    @Test func answersAreNotRememberedForTheNextCall() throws {
        let manager = try ExperienceManager([
            "audiences": [audience("a", asking: "a")], "experiences": [experience("e", ["audiences": ["a"]])],
        ])
        var visitor = manager.visitor(id: "visitor")
        let options = DecisionOptions.located { $0.visitorData = Constant(answer: .value("yes")) }
        #expect(manager.selectVariation("e", for: &visitor, options: options).variation != nil)
        #expect(manager.selectVariation("e", for: &visitor, options: .located()).reason == .audienceNotMatched)
    }

    @Test(
        arguments: [
            (.value("yes"), .needMoreData, .needMoreData), (.noDataFound, .value("yes"), .noDataFound),
            (.noDataFound, .needMoreData, .noDataFound), (.needMoreData, .noDataFound, .needMoreData),
        ] as [(RuleDataAnswer, RuleDataAnswer, Decision.Reason)])
    func theFirstAudienceOfTheConfigWithoutDataEndsTheDecisionThoughAnotherMatches(
        a: RuleDataAnswer, b: RuleDataAnswer, reason: Decision.Reason
    ) throws {
        let manager = try ExperienceManager([
            "audiences": [audience("a", asking: "a"), audience("b", asking: "b")],
            "experiences": [experience("e", ["audiences": ["b", "a", "b"]])],
        ])
        #expect(manager.decide("e") { $0.visitorData = ByKey(answers: ["a": a, "b": b]) }.reason == reason)
    }

    @Test func aLocationWithoutDataEndsTheDecisionThoughAnotherMatches() throws {
        let manager = try ExperienceManager([
            "locations": [place("a", asking: "a"), place("b", asking: "b")],
            "experiences": [experience("e", ["locations": ["a", "b"]])],
        ])
        let data = ByKey(answers: ["a": .value("yes"), "b": .needMoreData])
        #expect(manager.decide("e") { $0.locationData = data }.reason == .needMoreData)
    }

    @Test func missingDataAboutOneExperienceLeavesTheOthers() throws {
        let manager = try ExperienceManager([
            "audiences": [audience("a", asking: "a")],
            "experiences": [experience("e", ["audiences": ["a"]]), experience("f")],
        ])
        var visitor = manager.visitor(id: "visitor")
        let options = DecisionOptions.located { $0.visitorData = Constant(answer: .needMoreData) }
        let reasons = manager.selectVariations(for: &visitor, options: options).value.map(\.reason)
        #expect(reasons == [.needMoreData, nil])
    }
}
