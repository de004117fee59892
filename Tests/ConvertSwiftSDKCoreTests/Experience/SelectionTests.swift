import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct SelectionTests {
    /// An experience that buckets everybody into `a`, and has `b`, stopped, besides.
    private static let twoArms: JSObject = [
        "experiences": [
            experience("e", ["variations": [variation("a", 100), variation("b", 100, status: "stopped")]])
        ]
    ]

    private func select(
        stored: JSValue? = nil, forced: String? = nil, _ members: JSObject = Self.twoArms,
        _ change: (inout DecisionOptions) -> Void = { _ in }
    ) throws -> (decision: Answer<Decision>, state: VisitorState) {
        let manager = try ExperienceManager(members)
        let state = try stored.map { try VisitorState(wire: ["bucketing": ["id-e": $0]]) } ?? VisitorState()
        var visitor = manager.visitor(id: "visitor", state: state)
        let options = DecisionOptions.located { options in
            options.forcedVariationID = forced
            change(&options)
        }
        return (manager.selectVariation("e", for: &visitor, options: options), visitor.state)
    }

    @Test func aNewVisitorIsBucketed() throws {
        let variation = try #require(try select().decision.variation)
        #expect(variation.source == .bucketed)
        #expect(variation.variationID == "a")
        #expect(variation.experienceID == "id-e")
        #expect(variation.experienceKey == "e")
        let value = BucketingManager().bucketValue(visitorID: "visitor", experienceID: "id-e")
        #expect(variation.bucketingAllocation == value)
    }

    @Test func aStoredDecisionStandsThoughTheArmIsStopped() throws {
        let variation = try #require(try select(stored: "b").decision.variation)
        #expect(variation.source == .stored)
        #expect(variation.variationID == "b")
        #expect(variation.bucketingAllocation == nil)
    }

    @Test(arguments: [("0", 0), ("false", false), ("null", .null)] as [(JSValue, JSValue)])
    func aStoredDecisionThatIsNotTruthyIsIgnoredThoughAVariationHasItsText(id: JSValue, stored: JSValue) throws {
        let members: JSObject = ["experiences": [experience("e", ["variations": [variation(id, 100)]])]]
        #expect(try select(stored: stored, members).decision.variation?.source == .bucketed)
    }

    @Test(arguments: ["gone", "", .null, false, [:]] as [JSValue])
    func aStoredDecisionThatNamesNoVariationIsMadeAnew(stored: JSValue) throws {
        let (decision, state) = try select(stored: stored)
        #expect(decision.variation?.source == .bucketed)
        #expect(state.bucketing == ["id-e": "a"])
    }

    @Test func aStoredNumberNamesAVariationByItsText() throws {
        let members: JSObject = ["experiences": [experience("e", ["variations": [variation("7", 0)]])]]
        #expect(try select(stored: 7, members).decision.variation?.source == .stored)
    }

    @Test func aForcedVariationNeedsNeitherStatusNorWeight() throws {
        let variation = try #require(try select(forced: "b").decision.variation)
        #expect(variation.source == .forced)
        #expect(variation.variationID == "b")
    }

    @Test func aForcedVariationCarriesTheValueOfTheOrdinaryBucketing() throws {
        let value = BucketingManager().bucketValue(visitorID: "visitor", experienceID: "id-e")
        #expect(try select(forced: "b").decision.variation?.bucketingAllocation == value)
    }

    @Test func aForcedVariationCarriesNoValueOfAVisitorOutsideOfEveryArm() throws {
        let members: JSObject = ["experiences": [experience("e", ["variations": [variation("a", 0)]])]]
        let variation = try #require(try select(forced: "a", members).decision.variation)
        #expect(variation.bucketingAllocation == nil)
    }

    @Test func aForcedVariationOverwritesAStoredOne() throws {
        let (decision, state) = try select(stored: "a", forced: "b")
        #expect(decision.variation?.source == .forced)
        #expect(state.bucketing == ["id-e": "b"])
    }

    @Test func forcingTheStoredVariationIsAStoredDecision() throws {
        let (decision, _) = try select(stored: "b", forced: "b")
        #expect(decision.variation?.source == .stored)
        #expect(decision.effects == [])
    }

    @Test func theIDOfAForcedVariationCountsBeforeItsName() throws {
        let variation = try select(forced: "b") { $0.forcedVariation = "a" }.decision.variation
        #expect(variation?.variationID == "b")
    }

    private static let crossed: JSObject = [
        "experiences": [
            experience(
                "e",
                [
                    "variations": [
                        ["key": "y", "traffic_allocation": 0], ["id": "x", "key": "other", "traffic_allocation": 0],
                        ["id": "y", "key": "x", "traffic_allocation": 0],
                    ]
                ])
        ]
    ]

    @Test func aForcedNameIsAKeyBeforeItIsAnID() throws {
        #expect(try select(Self.crossed) { $0.forcedVariation = "x" }.decision.variation?.variationID == "y")
    }

    @Test func aVariationWithoutIDIsNotForced() throws {
        #expect(try select(Self.crossed) { $0.forcedVariation = "y" }.decision.variation?.variationID == "y")
    }

    @Test func aForcedAnswerTakesPrecedenceOverTheCallsOptions() throws {
        let decision = try select(forced: "a") { $0.forcedVariations = ["e": "b"] }.decision
        #expect(decision.variation?.variationID == "b")
    }

    @Test(arguments: ["gone", "", "A"]) func anUnknownForcedVariationIsIgnored(forced: String) throws {
        #expect(try select(forced: forced).decision.variation?.source == .bucketed)
        #expect(try select(stored: "b", forced: forced).decision.variation?.source == .stored)
    }

    /// Members of an experience, and the gate that they close.
    static let closedGates: [(members: JSObject, reason: Decision.Reason)] = [
        (["environment": "live"], .otherEnvironment), (["locations": ["l"]], .locationNotMatched),
        (["site_area": rules([leaf("here", "equals", "yes")])], .locationNotMatched),
        (["audiences": ["a"]], .audienceNotMatched), (["audiences": ["s"]], .segmentNotMatched),
    ]

    @Test(arguments: closedGates) func aClosedGateRefusesAForcedVariation(members: JSObject, reason: Decision.Reason)
        throws
    {
        let arms: JSObject = ["variations": [variation("a", 100), variation("b", 100)]]
        let project: JSObject = [
            "locations": [place("l", asking: "here")], "audiences": [audience("a", asking: "x")],
            "segments": [place("s", asking: "x")], "experiences": [experience("e", arms.deepMerging(members))],
        ]
        let (decision, state) = try select(forced: "b", project)
        #expect(decision.reason == reason)
        #expect(state.bucketing == nil)
    }

    @Test func anArchivedExperienceRefusesAForcedVariation() throws {
        let archived = Self.twoArms.deepMerging(["archived_experiences": ["id-e"]])
        #expect(try select(forced: "b", archived).decision.reason == .archived)
    }

    @Test(arguments: [(7, "7"), (true, "true")] as [(JSValue, String)])
    func underJavaScriptABucketedIDThatIsNoTextIsNotFoundButStoredAndTracked(id: JSValue, text: String) throws {
        let members: JSObject = ["experiences": [experience("e", ["variations": [variation(id, 100)]])]]
        let decision = try ExperienceManager(members, .javaScript).decide("e")
        #expect(decision.reason == .variationNotFound)
        #expect(
            decision.effects == [
                .store(.bucketing(experienceID: "id-e", variationID: .string(text))),
                .track(.bucketing(experienceID: "id-e", variationID: text), segments: nil),
            ])
    }

    @Test func variationsAreFoundByCodeUnits() throws {
        let arms: JSValue = [variation("caf\u{e9}", 0), variation("cafe\u{301}", 0)]
        let members: JSObject = ["experiences": [experience("e", ["variations": arms])]]
        let variation = try #require(try select(forced: "cafe\u{301}", members).decision.variation)
        #expect(Array(variation.variationID.unicodeScalars).count == 5)
    }

    @Test func theSameVisitorAlwaysSeesTheSame() throws {
        let arms: JSValue = [variation("a", 30), variation("b", 30), variation("c", 40)]
        let manager = try ExperienceManager(["experiences": [experience("e", ["variations": arms])]])
        for index in 0..<50 {
            let seen = (0..<2).map { _ in
                var visitor = manager.visitor(id: "visitor-\(index)")
                return manager.selectVariation("e", for: &visitor).variation?.variationID
            }
            #expect(seen[0] != nil && seen[0] == seen[1])
        }
    }
}
