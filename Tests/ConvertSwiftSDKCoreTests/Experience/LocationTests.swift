import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct LocationTests {
    private func manager(_ members: JSObject, _ semantics: RuleSemantics = .standard) throws -> ExperienceManager {
        try ExperienceManager(
            [
                "locations": [place("l", asking: "here"), place("m", asking: "there"), ["id": "none", "key": "none"]],
                "experiences": [experience("e", members)],
            ], semantics)
    }

    /// The decision on `e` and what is stored then, for a visitor who was in `stored` before.
    private func visit(
        _ manager: ExperienceManager, _ properties: JSObject, stored: JSValue? = nil
    ) throws -> (decision: Answer<Decision>, locations: [String]?) {
        let state = try stored.map { try VisitorState(wire: ["locations": $0]) } ?? VisitorState()
        var visitor = manager.visitor(id: "visitor", state: state)
        let options = DecisionOptions.located { $0.locationProperties = properties }
        return (manager.selectVariation("e", for: &visitor, options: options), visitor.state.locations)
    }

    @Test func presenceIsStoredByIDIfTheExperienceIsAskedForByID() throws {
        let manager = try manager(["locations": ["l"]])
        var visitor = manager.visitor(id: "visitor")
        let here = DecisionOptions.located { $0.locationProperties = ["here": "yes"] }
        _ = manager.selectVariation(id: "id-e", for: &visitor, options: here)
        #expect(visitor.state.locations == ["l"])
        _ = manager.selectVariation("e", for: &visitor, options: here)
        #expect(visitor.state.locations == ["l", "key-here"])
    }

    @Test func withoutStorageTheyAreReportedEachTime() throws {
        let manager = try manager(["locations": ["l"]])
        var visitor = manager.visitor(id: "visitor")
        let options = DecisionOptions.located {
            $0.locationProperties = ["here": "yes"]
            $0.isStorageEnabled = false
            $0.isTrackingEnabled = false
        }
        for _ in 0..<2 {
            let decision = manager.selectVariation("e", for: &visitor, options: options)
            #expect(decision.effects == [.locationActivated(0)])
        }
        #expect(visitor.state == VisitorState())
    }

    @Test func anyOfTheLocationsIsEnough() throws {
        #expect(try visit(try manager(["locations": ["l", "m"]]), ["there": "yes"]).decision.variation != nil)
    }

    @Test func aVisitorElsewhereIsNotMatched() throws {
        #expect(try visit(try manager(["locations": ["l"]]), ["there": "yes"]).decision.reason == .locationNotMatched)
    }

    @Test func anEmptySetOfLocationsIsStoredOnce() throws {
        let manager = try manager(["locations": ["l"]])
        #expect(try visit(manager, [:]).decision.effects == [.store(.locations([]))])
        #expect(try visit(manager, [:], stored: []).decision.effects == [])
    }

    @Test func comingToALocationIsStoredAndTold() throws {
        let (decision, locations) = try visit(try manager(["locations": ["l"]]), ["here": "yes"])
        #expect(decision.effects.prefix(2) == [.store(.locations(["key-here"])), .locationActivated(0)])
        #expect(locations == ["key-here"])
    }

    @Test func stayingInALocationHasNoEffect() throws {
        let (decision, locations) = try visit(try manager(["locations": ["l"]]), ["here": "yes"], stored: ["key-here"])
        #expect(decision.effects.allSatisfy { $0 != .locationActivated(0) && $0 != .store(.locations(["key-here"])) })
        #expect(locations == ["key-here"])
    }

    @Test func leavingALocationIsStoredAndTold() throws {
        let (decision, locations) = try visit(
            try manager(["locations": ["l"]]), [:], stored: ["elsewhere", "key-here"])
        #expect(decision.effects == [.store(.locations(["elsewhere"])), .locationDeactivated(0)])
        #expect(locations == ["elsewhere"])
    }

    @Test func allLocationsAreLookedAtThoughTheFirstMatches() throws {
        let (_, locations) = try visit(
            try manager(["locations": ["l", "m"]]), ["here": "yes"], stored: ["key-there"])
        #expect(locations == ["key-here"])
    }

    @Test func aLocationWithoutRulesNeverMatchesAndKeepsItsPresence() throws {
        let (decision, locations) = try visit(try manager(["locations": ["none"]]), [:], stored: ["none"])
        #expect(decision.reason == .locationNotMatched)
        #expect(locations == ["none"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func locationsThatAreNotInTheConfigMatchNoVisitor(semantics: RuleSemantics) throws {
        let manager = try manager(["locations": ["gone"]], semantics)
        #expect(try visit(manager, ["here": "yes"]).decision.reason == .locationNotMatched)
        #expect(manager.project.diagnostics.contains { $0.path == "$.experiences[0].locations" })
    }

    @Test(arguments: [true, false])
    func anEarlierReasonIsReportedBeforeThrowingRulesUnlessInAPreview(isPreviewing: Bool) throws {
        let manager = try ExperienceManager(
            [
                "locations": [place("l", asking: "here"), ["id": "broken", "rules": ["OR": [.null]]]],
                "experiences": [experience("e", ["locations": ["l", "broken"]]), experience("f")],
            ], .javaScript)
        var visitor = manager.visitor(id: "visitor")
        if isPreviewing { manager.setPreview(experienceID: "id-f", variationID: "only-f", for: &visitor) }
        let options = DecisionOptions.located { $0.locationProperties = ["here": "yes"] }
        let decision = manager.selectVariation("e", for: &visitor, options: options)
        #expect(decision.reason == .malformedRules)
        #expect(decision.effects == (isPreviewing ? [] : [.locationActivated(0)]))
    }

    @Test func locationsWinOverTheSiteArea() throws {
        let manager = try manager(["locations": ["l"], "site_area": rules([leaf("x", "equals", "yes")])])
        #expect(try visit(manager, ["here": "yes"]).decision.variation != nil)
        #expect(try visit(manager, ["x": "yes"]).decision.reason == .locationNotMatched)
    }

    @Test func theSiteAreaCountsWithoutLocations() throws {
        let manager = try manager(["site_area": rules([leaf("x", "equals", "yes")])])
        #expect(try visit(manager, ["x": "yes"]).decision.variation != nil)
        #expect(try visit(manager, ["x": "no"]).decision.reason == .locationNotMatched)
    }

    @Test func aSiteAreaStoresNoPresence() throws {
        let manager = try manager(["site_area": rules([leaf("x", "equals", "yes")])])
        #expect(try visit(manager, ["x": "yes"]).locations == nil)
    }

    @Test func ignoringLocationsLooksAtNone() throws {
        let manager = try manager(["locations": ["l"]])
        var visitor = manager.visitor(id: "visitor")
        let options = DecisionOptions.located { $0.ignoresLocationProperties = true }
        #expect(manager.selectVariation("e", for: &visitor, options: options).variation != nil)
        #expect(visitor.state.locations == nil)
    }

    @Test func visitorAttributesAreNoLocationProperties() throws {
        #expect(try manager(["locations": ["l"]]).decide("e", ["here": "yes"]).reason == .locationNotMatched)
    }

    @Test(arguments: RuleSemantics.allCases)
    func theLocationIsKnownThoughMissingSettingsEndTheCall(semantics: RuleSemantics) throws {
        let manager = try ExperienceManager(
            [
                "locations": [place("l", asking: "here")], "audiences": [audience("a", asking: "a")],
                "experiences": [experience("e", ["locations": ["l"], "audiences": ["a"]], without: "settings")],
            ], semantics)
        #expect(try visit(manager, ["here": "yes"]).locations == ["key-here"])
    }
}
