import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct AudienceTests {
    /// An experience with the audiences `a` and `b`, which ask for the attributes of their names.
    private func manager(
        _ matching: String, a: String = "transient", b: String = "transient", _ semantics: RuleSemantics = .standard
    ) throws -> ExperienceManager {
        let attached: JSObject = [
            "audiences": ["a", "b"], "settings": ["matching_options": ["audiences": .string(matching)]],
        ]
        return try ExperienceManager(
            [
                "audiences": [audience("a", asking: "a", type: a), audience("b", asking: "b", type: b)],
                "experiences": [experience("e", attached)],
            ], semantics)
    }

    @Test(
        arguments: [
            ([:], false), (["a": "yes"], true), (["b": "yes"], true), (["a": "yes", "b": "yes"], true),
        ] as [(JSObject, Bool)])
    func anyNeedsOne(attributes: JSObject, passes: Bool) throws {
        #expect(try manager("any").decide("e", attributes).reason == (passes ? nil : .audienceNotMatched))
    }

    @Test(
        arguments: [
            ([:], false), (["a": "yes"], false), (["b": "yes"], false), (["a": "yes", "b": "yes"], true),
        ] as [(JSObject, Bool)])
    func allNeedsEach(attributes: JSObject, passes: Bool) throws {
        #expect(try manager("all").decide("e", attributes).reason == (passes ? nil : .audienceNotMatched))
    }

    @Test func anyOtherTextMeansAny() throws {
        #expect(try manager("ALL").decide("e", ["a": "yes"]).variation != nil)
    }

    /// What is decided for a visitor who was let in before and matches `attributes` now.
    private func decideAgain(_ manager: ExperienceManager, _ attributes: JSObject = [:]) throws -> Answer<Decision> {
        let state = try VisitorState(wire: ["bucketing": ["id-e": "only-e"]])
        var visitor = manager.visitor(id: "visitor", attributes: attributes, state: state)
        return manager.selectVariation("e", for: &visitor, options: .located())
    }

    @Test func permanentAudiencesKeepWhoIsIn() throws {
        #expect(try decideAgain(try manager("all", a: "permanent", b: "permanent")).variation?.source == .stored)
    }

    @Test func transientAudiencesHideAStoredDecisionWithoutErasingIt() throws {
        let manager = try manager("any")
        let state = try VisitorState(wire: ["bucketing": ["id-e": "only-e"]])
        var visitor = manager.visitor(id: "visitor", state: state)
        #expect(manager.selectVariation("e", for: &visitor, options: .located()).reason == .audienceNotMatched)
        #expect(visitor.state == state)
    }

    @Test func transientAudiencesAmongMixedOnesAreChecked() throws {
        let manager = try manager("any", a: "permanent")
        #expect(try decideAgain(manager, ["a": "yes"]).reason == .audienceNotMatched)
        #expect(try decideAgain(manager, ["b": "yes"]).variation?.source == .stored)
    }

    @Test func permanentAudiencesAreCheckedForANewVisitor() throws {
        let manager = try manager("any", a: "permanent", b: "permanent")
        #expect(manager.decide("e").reason == .audienceNotMatched)
    }

    @Test func aStoredVariationThatIsGoneDoesNotSkipPermanentAudiences() throws {
        let manager = try manager("any", a: "permanent", b: "permanent")
        var visitor = manager.visitor(id: "visitor", state: try VisitorState(wire: ["bucketing": ["id-e": "gone"]]))
        #expect(manager.selectVariation("e", for: &visitor, options: .located()).reason == .audienceNotMatched)
    }

    @Test(arguments: RuleSemantics.allCases)
    func anAudienceThatIsNotInTheConfigRestrictsNoVisitor(semantics: RuleSemantics) throws {
        let members: JSObject = ["experiences": [experience("e", ["audiences": ["gone"]])]]
        let manager = try ExperienceManager(members, semantics)
        #expect(manager.decide("e").variation != nil)
        #expect(manager.project.diagnostics.map(\.path) == ["$.experiences[0].audiences"])
    }

    @Test func audienceIDsMatchByTypeToo() throws {
        let members: JSObject = [
            "audiences": [audience(9, asking: "a")], "experiences": [experience("e", ["audiences": ["9"]])],
        ]
        #expect(try ExperienceManager(members).decide("e").variation != nil)
        let attached = members.deepMerging(["experiences": [experience("f", ["audiences": [9]])]])
        #expect(try ExperienceManager(attached).decide("f").reason == .audienceNotMatched)
    }

    @Test(arguments: [("any", nil), ("all", .audienceNotMatched)] as [(String, Decision.Reason?)])
    func anAudienceWithoutRulesNeverMatches(matching: String, reason: Decision.Reason?) throws {
        let attached: JSObject = [
            "audiences": ["a", "none"], "settings": ["matching_options": ["audiences": .string(matching)]],
        ]
        let members: JSObject = [
            "audiences": [audience("a", asking: "a"), ["id": "none"]], "experiences": [experience("e", attached)],
        ]
        #expect(try ExperienceManager(members).decide("e", ["a": "yes"]).reason == reason)
    }

    @Test(arguments: ["x", .null, [:], 7] as [JSValue])
    func audiencesThatAreNoListRestrictNoVisitor(value: JSValue) throws {
        let members: JSObject = ["experiences": [experience("e", ["audiences": value])]]
        #expect(try ExperienceManager(members).decide("e").variation != nil)
    }

    @Test func propertiesOfACallAreMergedOverTheAttributes() throws {
        let manager = try manager("all")
        #expect(manager.decide("e", ["a": "yes", "b": "no"]) { $0.visitorProperties = ["b": "yes"] }.variation != nil)
        #expect(manager.decide("e", ["a": "yes", "b": "yes"]) { $0.visitorProperties = ["b": .null] }.reason != nil)
    }

    @Test func propertiesOfACallDecideThatCallOnly() throws {
        let manager = try manager("any")
        var visitor = manager.visitor(id: "visitor")
        let options = DecisionOptions.located { $0.visitorProperties = ["a": "yes"] }
        #expect(manager.selectVariation("e", for: &visitor).reason == .audienceNotMatched)
        #expect(manager.selectVariation("e", for: &visitor, options: options).variation != nil)
        #expect(manager.selectVariation("e", for: &visitor).reason == .audienceNotMatched)
    }

    @Test(arguments: [false, true]) func keysMatchWithoutRegardToCaseIfConfigured(isSensitive: Bool) throws {
        let members: JSObject = [
            "audiences": [audience("a", asking: "Plan")], "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        let manager = try ExperienceManager(members, keysAreCaseSensitive: isSensitive)
        #expect(manager.decide("e", ["pLAN": "yes"]).reason == (isSensitive ? .audienceNotMatched : nil))
    }

    @Test func underJavaScriptKeysCountTheirCaseWhateverIsConfigured() throws {
        let members: JSObject = [
            "audiences": [audience("a", asking: "Plan")], "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        let manager = try ExperienceManager(members, .javaScript, keysAreCaseSensitive: false)
        #expect(manager.decide("e", ["plan": "yes"]).reason == .audienceNotMatched)
    }

    @Test(arguments: RuleSemantics.allCases)
    func aNullThrowsThoughAnAudienceBeforeItMatches(semantics: RuleSemantics) throws {
        let members: JSObject = [
            "audiences": [audience("a", asking: "a"), ["id": "b", "rules": ["OR": [.null]]]],
            "experiences": [experience("e", ["audiences": ["a", "b"]])],
        ]
        let decision = try ExperienceManager(members, semantics).decide("e", ["a": "yes"])
        #expect(decision.reason == (semantics == .javaScript ? .malformedRules : nil))
    }

    @Test(arguments: RuleSemantics.allCases) func aNullInRulesNeverLetsIn(semantics: RuleSemantics) throws {
        let members: JSObject = [
            "audiences": [["id": "a", "rules": ["OR": [.null]]]],
            "experiences": [experience("e", ["audiences": ["a"]]), experience("f")],
        ]
        let manager = try ExperienceManager(members, semantics)
        #expect(manager.decide("e").reason == (semantics == .javaScript ? .malformedRules : .audienceNotMatched))
        var visitor = manager.visitor(id: "visitor")
        let decisions = manager.selectVariations(for: &visitor, options: .located()).value
        // The reference throws out of the whole call, so nothing is decided after that.
        #expect(decisions.count == (semantics == .javaScript ? 1 : 2))
    }
}
