import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct PreviewTests {
    /// What would close a gate, and an experience without any of it.
    static let gates: [JSObject] = [
        [:], ["environment": "live"], ["locations": ["l"]], ["audiences": ["a"]], ["audiences": ["s"]],
        ["site_area": rules([leaf("here", "equals", "yes")])],
    ]

    private func manager(
        _ members: JSObject = [:], archived: Bool = false, _ semantics: RuleSemantics = .standard
    ) throws -> ExperienceManager {
        let arms: JSObject = ["variations": [variation("a", 100), variation("b", 0, status: "stopped")]]
        return try ExperienceManager(
            [
                "locations": [place("l", asking: "here")], "audiences": [audience("a", asking: "x")],
                "segments": [place("s", asking: "x")], "goals": [["id": "g", "key": "g"]],
                "experiences": [
                    experience("d"), experience("e", arms.deepMerging(members)), experience("f", ["locations": ["l"]]),
                ],
                "archived_experiences": archived ? ["id-e"] : [],
            ], semantics)
    }

    /// A visitor who previews the stopped arm of `e`.
    private func previewing(_ manager: ExperienceManager, _ state: VisitorState = VisitorState()) -> Visitor {
        var visitor = manager.visitor(id: "visitor", state: state)
        manager.setPreview(experienceID: "id-e", variationID: "b", for: &visitor)
        return visitor
    }

    @Test(arguments: gates, RuleSemantics.allCases)
    func everyGateIsIgnored(members: JSObject, semantics: RuleSemantics) throws {
        let manager = try manager(members, semantics)
        var visitor = previewing(manager)
        let variation = try #require(manager.selectVariation("e", for: &visitor).variation)
        #expect(variation.variationID == "b")
        #expect(variation.source == .preview)
        #expect(variation.bucketingAllocation == nil)
    }

    @Test func theArchiveIsIgnored() throws {
        let manager = try manager(archived: true)
        var visitor = previewing(manager)
        #expect(manager.selectVariation("e", for: &visitor).variation?.source == .preview)
    }

    @Test func storedAndForcedVariationsAreIgnored() throws {
        let manager = try manager()
        var visitor = previewing(manager, try VisitorState(wire: ["bucketing": ["id-e": "a"]]))
        let decision = manager.selectVariation("e", for: &visitor, options: .located { $0.forcedVariationID = "a" })
        #expect(decision.variation?.variationID == "b")
        #expect(decision.effects == [])
    }

    /// Two experiences with one key, and one with another.
    private func managerOfTwoWithOneKey() throws -> ExperienceManager {
        try ExperienceManager([
            "experiences": [experience("e"), experience("f"), experience("g", ["id": "second", "key": "e"])]
        ])
    }

    /// A visitor who previews the second of the two experiences with one key.
    private func previewingTheSecond(_ manager: ExperienceManager) -> Visitor {
        var visitor = manager.visitor(id: "visitor")
        manager.setPreview(experienceID: "second", variationID: "only-g", for: &visitor)
        return visitor
    }

    @Test func aKeyOfTwoExperiencesMeansThePreviewedOne() throws {
        let manager = try managerOfTwoWithOneKey()
        var visitor = previewingTheSecond(manager)
        #expect(manager.selectVariation("e", for: &visitor).variation?.variationID == "only-g")
        #expect(manager.explain("e", for: visitor).source == .preview)
        #expect(manager.selectVariation(id: "id-e", for: &visitor).variation?.variationID == "only-e")
    }

    @Test func amongAllDecisionsTheKeyStandsOnceAndLast() throws {
        let manager = try managerOfTwoWithOneKey()
        var visitor = previewingTheSecond(manager)
        let decisions = manager.selectVariations(for: &visitor, options: .located()).value
        #expect(decisions.map(\.variation?.variationID) == ["only-f", "only-g"])
    }

    @Test(arguments: RuleSemantics.allCases) func itsFeaturesAreOnButUnderJavaScript(semantics: RuleSemantics) throws {
        let arms: JSObject = [
            "variations": [
                variation("a", 100),
                [
                    "id": "b", "key": "b", "traffic_allocation": 0,
                    "changes": [
                        ["type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": ["x": 2]]]
                    ],
                ],
            ]
        ]
        let features = FeatureManager(
            experiences: try ExperienceManager(
                ["features": [feature("7", "new")], "experiences": [experience("e", arms)]], semantics))
        var visitor = features.experiences.visitor(id: "visitor")
        features.experiences.setPreview(experienceID: "id-e", variationID: "b", for: &visitor)
        let found = features.feature("new", for: &visitor, options: .located())
        #expect(found.features.map(\.status) == [semantics == .javaScript ? .disabled : .enabled])
        #expect(found.effects == [])
        if semantics != .javaScript { #expect(found.features.first?["x"] == 2) }
    }

    @Test(arguments: [("id-e", ""), ("", "b"), ("", ""), ("gone", ""), ("", "gone")])
    func withAnEmptyIDACallChangesNothing(experienceID: String, variationID: String) throws {
        let manager = try manager()
        var visitor = previewing(manager)
        #expect(manager.setPreview(experienceID: experienceID, variationID: variationID, for: &visitor))
        #expect(manager.selectVariation("e", for: &visitor).variation?.variationID == "b")
        var other = manager.visitor(id: "other")
        #expect(!manager.setPreview(experienceID: experienceID, variationID: variationID, for: &other))
    }

    @Test(arguments: [.null, 5, nil] as [JSValue?], RuleSemantics.allCases)
    func anExperienceWhoseKeyIsNotTextIsDecidedByItsRules(key: JSValue?, semantics: RuleSemantics) throws {
        var members: JSObject = ["audiences": ["a"]]
        if let key { members["key"] = key }
        let wire = experience("e", members, without: key == nil ? "key" : "name")
        let manager = try ExperienceManager(
            ["audiences": [audience("a", asking: "x")], "experiences": [wire]], semantics)
        var visitor = manager.visitor(id: "visitor", attributes: ["x": "no"])
        #expect(manager.setPreview(experienceID: "id-e", variationID: "only-e", for: &visitor))
        let decision = manager.selectVariation(ECMAScript.toString(key), for: &visitor, options: .located())
        #expect(decision.reason == .audienceNotMatched)
        let all = manager.selectVariations(for: &visitor, options: .located()).value
        #expect(all.map(\.variation?.source) == [.preview])
    }

    @Test func aPreviewFindsAnExperienceByID() throws {
        let manager = try manager()
        var visitor = previewing(manager)
        #expect(manager.selectVariation(id: "id-e", for: &visitor).variation?.source == .preview)
    }

    @Test(arguments: RuleSemantics.allCases)
    func everythingElseDecidesButNothingIsDone(semantics: RuleSemantics) throws {
        let manager = try manager([:], semantics)
        var visitor = previewing(manager)
        let options = DecisionOptions.located { options in
            options.locationProperties = ["here": "yes"]
            options.updatesVisitorProperties = true
        }
        let decisions = manager.selectVariations(for: &visitor, options: options)
        #expect(decisions.value.map { $0.variation?.experienceKey } == ["d", "f", "e"])
        #expect(decisions.effects == [])
        #expect(visitor.state == VisitorState())
    }

    @Test(arguments: RuleSemantics.allCases)
    func aReferenceErrorEndsAllDecisionsEvenInAPreview(semantics: RuleSemantics) throws {
        let manager = try manager(["site_area": ["OR": [.null]]], semantics)
        var visitor = previewing(manager)
        let reasons = manager.selectVariations(for: &visitor, options: .located()).value.map(\.reason)
        #expect(reasons == (semantics == .javaScript ? [nil, .malformedRules] : [nil, .locationNotMatched, nil]))
    }

    @Test(arguments: ["g", "gone"]) func conversionsDoNothing(key: String) throws {
        let manager = try manager()
        var visitor = previewing(manager)
        let conversion = GoalManager(project: manager.project).trackConversion(key, for: &visitor)
        #expect(conversion.value == .preview)
        #expect(conversion.effects == [])
        #expect(visitor.state == VisitorState())
    }

    @Test func segmentsCannotBeChanged() throws {
        let manager = try manager()
        let segments = SegmentsManager(project: manager.project)
        var visitor = previewing(manager)
        let changes = [
            segments.setDefaultSegments(["country": "de"], for: &visitor),
            segments.runCustomSegments(["key-x"], ruleData: ["x": "yes"], for: &visitor),
        ]
        #expect(changes.flatMap(\.effects) == [])
        #expect(visitor.state == VisitorState())
    }

    @Test(arguments: [("id-e", "gone"), ("gone", "b"), ("e", "b"), ("id-e", " "), (" ", "b")])
    func unknownIDsEndIt(experienceID: String, variationID: String) throws {
        let manager = try manager()
        var visitor = previewing(manager)
        #expect(!manager.setPreview(experienceID: experienceID, variationID: variationID, for: &visitor))
        let decision = manager.selectVariation("e", for: &visitor)
        #expect(decision.variation?.source == .bucketed)
        #expect(decision.effects.count == 2)
    }

    @Test func anotherOneTakesItsPlace() throws {
        let manager = try manager()
        var visitor = previewing(manager)
        #expect(manager.setPreview(experienceID: "id-d", variationID: "only-d", for: &visitor))
        #expect(manager.selectVariation("d", for: &visitor).variation?.source == .preview)
        #expect(manager.selectVariation("e", for: &visitor).variation?.source == .bucketed)
    }

    @Test func itBelongsToOneVisitorValue() throws {
        let manager = try manager()
        _ = previewing(manager)
        var other = manager.visitor(id: "visitor")
        #expect(manager.selectVariation("e", for: &other).variation?.source == .bucketed)
    }

    @Test func explainNamesIt() throws {
        let manager = try manager(["environment": "live"])
        let explanation = manager.explain("e", for: previewing(manager))
        #expect(explanation.gates.map(\.kind) == [.preview])
        #expect(explanation.source == .preview)
        #expect(explanation.variation == "b")
        #expect(explanation.bucketing == nil)
    }

    @Test func aPreviewLastsInAnotherProjectWithItsIDs() throws {
        var visitor = previewing(try manager())
        let arms: JSValue = [variation("c", 100), variation("b", 100), variation("a", 100)]
        let next = try ExperienceManager(["experiences": [experience("e", ["variations": arms]), experience("d")]])
        let decisions = next.selectVariations(for: &visitor)
        #expect(decisions.value.map { $0.variation?.variationID } == ["only-d", "b"])
        #expect(decisions.effects == [])
    }

    @Test(arguments: ["e", "other"]) func aPreviewEndsInAProjectThatLacksItsIDs(key: String) throws {
        var visitor = previewing(try manager())
        let next = try ExperienceManager(["experiences": [experience(key)]])
        #expect(next.selectVariation(key, for: &visitor).variation?.source == .bucketed)
        #expect(visitor.state.bucketing?["id-" + key] == .string("only-" + key))
    }

    @Test(arguments: RuleSemantics.allCases)
    func aVariationWhoseIDIsANumberIsPreviewedToo(semantics: RuleSemantics) throws {
        let manager = try ExperienceManager(
            ["experiences": [experience("e", ["variations": [variation(7, 100)]])]], semantics)
        var visitor = manager.visitor(id: "visitor")
        #expect(manager.setPreview(experienceID: "id-e", variationID: "7", for: &visitor))
        #expect(manager.selectVariation("e", for: &visitor).variation?.variationID == "7")
    }
}
