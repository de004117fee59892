import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// Visitors made with one project and decided by another, whose slots and audiences lie elsewhere.
struct ProjectSwapTests {
    /// An experience for each name, whose audience asks for that name to be `yes`.
    private func manager(_ names: [String]) throws -> ExperienceManager {
        try ExperienceManager([
            "audiences": .array(names.map { audience(.string($0), asking: $0) }),
            "experiences": .array(names.map { experience($0, ["audiences": [.string($0)]]) }),
        ])
    }

    @Test func attributesAreReadFromTheSlotsOfTheProjectThatDecides() throws {
        let (first, second) = (try manager(["a", "b"]), try manager(["b", "c", "a"]))
        var visitor = first.visitor(id: "visitor", attributes: ["a": "yes", "c": "yes"])
        #expect(second.selectVariations(for: &visitor).value.map { $0.variation != nil } == [false, true, true])
    }

    @Test func verdictsOfTheOtherProjectAreForgotten() throws {
        let (first, second) = (try manager(["a", "b"]), try manager(["b", "a"]))
        var visitor = first.visitor(id: "visitor", attributes: ["a": "yes"])
        #expect(first.selectVariation("a", for: &visitor).variation != nil)
        #expect(second.selectVariation("b", for: &visitor).reason == .audienceNotMatched)
        #expect(first.selectVariation("b", for: &visitor).reason == .audienceNotMatched)
    }

    @Test func aProjectMayHaveMoreOfEverything() throws {
        let (first, second) = (try manager([]), try manager((0..<100).map { "k\($0)" }))
        var visitor = first.visitor(id: "visitor", attributes: ["k99": "yes"])
        #expect(second.selectVariation("k99", for: &visitor).variation != nil)
    }

    @Test func rulesThatChangedBehindAnIDAreAskedAnew() throws {
        func manager(_ value: JSValue) throws -> ExperienceManager {
            try ExperienceManager([
                "audiences": [["id": "a", "rules": rules([leaf("x", "equals", value)])]],
                "experiences": [experience("e", ["audiences": ["a"]])],
            ])
        }
        let (first, second) = (try manager("yes"), try manager("no"))
        var visitor = first.visitor(id: "visitor", attributes: ["x": "yes"])
        #expect(first.selectVariation("e", for: &visitor).variation != nil)
        #expect(second.selectVariation("e", for: &visitor).reason == .audienceNotMatched)
    }

    @Test func segmentsStoredInBetweenAreReadByBoth() throws {
        func manager(_ names: [String]) throws -> ExperienceManager {
            try ExperienceManager([
                "audiences": .array(names.map { audience(.string($0), asking: $0) }),
                "experiences": [experience("e", ["audiences": ["country"]])],
            ])
        }
        let (first, second) = (try manager(["x", "country"]), try manager(["country"]))
        var visitor = first.visitor(id: "visitor")
        _ = SegmentsManager(project: second.project).setDefaultSegments(["country": "yes"], for: &visitor)
        #expect(first.selectVariation("e", for: &visitor).variation != nil)
        #expect(second.selectVariation("e", for: &visitor).variation != nil)
    }

    @Test func decidingMovesAVisitorAsIfTheyWereMadeAnew() throws {
        var outcomes: Set<String> = []
        for seed in 0..<400 {
            var random = SeededGenerator(seed: seed)
            let managers = try (0..<2).map { _ in
                try ExperienceManager(RandomProject.config(&random), random.pick(RuleSemantics.allCases))
            }
            let state = try VisitorState(wire: RandomProject.stored(&random))
            let attributes = RandomProject.properties(&random)
            var visitor = managers[0].visitor(id: "v\(seed)", attributes: attributes, state: state)
            // Back and forth, so that each project meets what the other one left.
            for round in 0..<4 {
                let manager = managers[round % 2]
                let options = RandomProject.options(&random)
                var fresh = manager.visitor(id: visitor.id, attributes: visitor.attributes, state: visitor.state)
                let label = "seed \(seed), round \(round)" as Comment
                #expect(
                    manager.explain("key-0", for: visitor, options: options)
                        == manager.explain("key-0", for: fresh, options: options), label)
                let moved = manager.selectVariations(for: &visitor, options: options)
                let expected = manager.selectVariations(for: &fresh, options: options)
                #expect(moved.value == expected.value, label)
                #expect(moved.effects == expected.effects, label)
                #expect(visitor.state == fresh.state, label)
                for decision in moved.value { outcomes.insert(decision.reason.map { "\($0)" } ?? "variation") }
            }
        }
        #expect(outcomes.count >= 8, "\(outcomes)")
    }

    @Test func goalsSegmentsAndFeaturesAreThoseOfTheManagerAsked() throws {
        let first = try manager(["a"])
        let second = try ExperienceManager([
            "goals": [["id": "g", "key": "g"]], "segments": [place("s", asking: "a")],
            "features": [feature("7", "new")], "experiences": [carrier("c", of: ["7"])],
        ])
        var visitor = first.visitor(id: "visitor", attributes: ["a": "yes"])
        #expect(GoalManager(project: first.project).trackConversion("g", for: &visitor).value == .unknownGoal)
        #expect(GoalManager(project: second.project).trackConversion("g", for: &visitor).value == .triggered)
        let change = SegmentsManager(project: second.project).runCustomSegments(["key-a"], for: &visitor)
        #expect(change.effects == [.store(.segments(["customSegments": ["s"]]))])
        let found = FeatureManager(experiences: second).feature("new", for: &visitor, options: .located())
        #expect(found.features.map(\.status) == [.enabled])
    }
}
