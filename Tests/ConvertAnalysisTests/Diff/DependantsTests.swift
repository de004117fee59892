@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// Experiences that change because others do which their audiences ask about.
struct DependantsTests {
    private static func question(_ id: String, _ key: String, keepsOut: Bool = true) -> JSValue {
        Configs.audience(
            id,
            Configs.all(
                Configs.leaf("x", "equals", .string(key), negated: keepsOut, type: "bucketed_into_experience_key")))
    }

    private static func pair(_ changes: JSObject = JSObject(), archived: [JSValue] = []) -> JSObject {
        Configs.config([
            "audiences": [question("5", "a"), Configs.audience("6", Configs.all(SeededDefectsTests.plan))],
            "locations": [
                Configs.audience("8", Configs.all(Configs.leaf("path", "startsWith", "/shop")))
            ],
            "experiences": [
                .object(Configs.experience("a", id: "10", changes)),
                .object(Configs.experience("b", id: "11", ["audiences": ["5"]])),
            ],
            "archived_experiences": .array(archived),
        ])
    }

    private static func arms(_ first: JSValue, _ second: JSValue, status: JSValue = "running") -> JSObject {
        [
            "variations": [
                .object(Configs.variation("101", "a", first, ["status": status])),
                .object(Configs.variation("102", "b", second, ["status": status])),
            ]
        ]
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    static let changes: [(name: String, config: JSObject, share: Double?)] = [
        ("no traffic", pair(arms(0, 0)), 1), ("archived", pair(archived: ["10"]), 1),
        ("stopped", pair(arms(50, 50, status: "stopped")), 1), ("half", pair(arms(25, 25)), 0.5),
        ("audience", pair(["audiences": ["6"]]), nil), ("location", pair(["locations": ["8"]]), nil),
    ]

    @Test(arguments: changes.indices)
    func aChangedExperienceListsItsEffectsOnOthers(index: Int) throws {
        let (_, config, share) = Self.changes[index]
        let found = try Self.difference(Self.pair(), config).experiences[1]
        let dependence = try #require(found.dependence)
        #expect(dependence.dependsOn == ["a"] && dependence.change == .wider && dependence.enters != nil)
        #expect(found.audience == .equivalent && found.changesAnswers && found.change == .changed)
        #expect(dependence.admittedBefore == (share == nil ? nil : 0) && dependence.admittedAfter == share)
        if let share { #expect(found.moved == share) }
        // And the other way round.
        let back = try Self.difference(config, Self.pair()).experiences[1].dependence
        #expect(back?.change == .narrower && back?.leaves != nil)
    }

    @Test func anotherShareOfTheSameVisitorsIsNoDependence() throws {
        // The other one shares the same visitors otherwise.
        let found = try Self.difference(Self.pair(), Self.pair(Self.arms(70, 30))).experiences[1]
        #expect(found.dependence == nil && !found.changesAnswers)
    }

    @Test func anExperienceWithoutRoomForVisitorsChangesForStoredDecisionsOnly() throws {
        func config(_ arms: JSObject) -> JSObject {
            var empty = Self.arms(0, 0)
            empty["audiences"] = ["5"]
            return Configs.config([
                "audiences": [Self.question("5", "a")],
                "experiences": [
                    .object(Configs.experience("a", id: "10", arms)), .object(Configs.experience("b", id: "11", empty)),
                ],
            ])
        }
        let found = try Self.difference(config(Self.arms(50, 50)), config(Self.arms(20, 20))).experiences[1]
        #expect(found.dependence?.newVisitors == .equivalent && found.storedAudience == .wider && found.moved == 0)
    }

    @Test func visitorsWhoShowADependenceGetAVariation() throws {
        func config(_ arms: JSObject) -> JSObject {
            var narrow = Self.arms(1, 1)
            narrow["audiences"] = ["5"]
            return Configs.config([
                "audiences": [Self.question("5", "a")],
                "experiences": [
                    .object(Configs.experience("a", id: "10", arms)),
                    .object(Configs.experience("b", id: "11", narrow)),
                ],
            ])
        }
        let (old, new) = (config(Self.arms(50, 50)), config(Self.arms(0, 0)))
        let enters = try #require(try Self.difference(old, new).experiences[1].dependence?.enters)
        let project = Project(try ProjectConfig(json: Configs.data(new)))
        let decisions = EngineTrial(project, environment: nil).decisions(for: enters)
        #expect(decisions[PropertyKey("11")]?.variation != nil)
    }

    @Test func anExperimentWhoseOnlyVisitorsAreGoneEnds() throws {
        func config(_ changes: JSObject, archived: [JSValue] = []) -> JSObject {
            Configs.config([
                "audiences": [Self.question("5", "a", keepsOut: false)],
                "experiences": [
                    .object(Configs.experience("a", id: "10", changes)),
                    .object(Configs.experience("b", id: "11", ["audiences": ["5"]])),
                ], "archived_experiences": .array(archived),
            ])
        }
        for new in [config(["key": "z"]), config([:], archived: ["10"]), config(Self.arms(0, 0))] {
            #expect(try Self.difference(config([:]), new).experiences[1].disturbance == .ended)
        }
        let production = Self.pair(["environment": "production"]), staging = Self.pair(["environment": "staging"])
        #expect(try Self.difference(production, staging).experiences[0].disturbance == .ended)
    }

    @Test func chainsNameAllThatChange() throws {
        func chain(_ arms: JSObject) -> JSObject {
            Configs.config([
                "audiences": [Self.question("5", "a"), Self.question("6", "b", keepsOut: false)],
                "experiences": [
                    .object(Configs.experience("a", id: "10", arms)),
                    .object(Configs.experience("b", id: "11", ["audiences": ["5"]])),
                    .object(Configs.experience("c", id: "12", ["audiences": ["6"]])),
                ],
            ])
        }
        let found = try Self.difference(chain(Self.arms(20, 20)), chain(Self.arms(5, 5))).experiences
        #expect(found[2].dependence?.dependsOn == ["b", "a"])
        #expect(abs((found[2].dependence?.admittedAfter ?? 0) - 0.9) < 1e-12)
        #expect(found.map(\.disturbance) == [.population, .population, .population])
    }

    @Test func anExperienceThatGetsNarrowerItselfIsEnteredThroughOthersToo() throws {
        func config(_ plan: JSValue, _ arms: JSObject) -> JSObject {
            Configs.config([
                "audiences": [
                    Self.question("5", "a"), Configs.audience("6", Configs.all(Configs.leaf("plan", "isIn", plan))),
                ],
                "experiences": [
                    .object(Configs.experience("a", id: "10", arms)),
                    .object(
                        Configs.experience(
                            "b", id: "11",
                            ["audiences": ["5", "6"], "settings": ["matching_options": ["audiences": "all"]]])),
                ],
            ])
        }
        let (old, new) = (config("pro|free", Self.arms(50, 50)), config("pro", Self.arms(20, 20)))
        let found = try Self.difference(old, new).experiences[1]
        #expect(found.audience == .narrower && found.isEntered)
        let back = try Self.difference(new, old).experiences[1]
        #expect(back.audience == .wider && back.isLeft)
        // Others that share the same visitors otherwise add nothing to what it changes itself.
        let shared = try Self.difference(old, config("pro", Self.arms(70, 30))).experiences[1]
        #expect(shared.audience == .narrower && shared.dependence == nil && !shared.isEntered && shared.isLeft)
    }

    @Test func anExperienceOfAnotherEnvironmentIsEnteredThere() throws {
        let found = try Self.difference(
            Self.pair(["environment": "staging"]), Self.pair(["environment": "production"])
        ).experiences[0]
        #expect(found.isEntered && found.isLeft)
        let everywhere = try Self.difference(Self.pair(["environment": "staging"]), Self.pair()).experiences[0]
        #expect(everywhere.isEntered && !everywhere.isLeft)
    }

    /// Composed and decomposed letters make two names.
    @Test func anEnvironmentOfTheSameLettersIsAnotherOne() throws {
        func config(_ name: JSValue) -> JSObject {
            Configs.config([
                "project": ["id": "2", "environments": ["caf\u{E9}", "cafe\u{301}"]],
                "experiences": [.object(Configs.experience("checkout", id: "10", ["environment": name]))],
            ])
        }
        let found = try Self.difference(config("caf\u{E9}"), config("cafe\u{301}")).experiences[0]
        #expect(found.environments?.count == 2 && found.disturbance == .ended)
    }

    /// Graphs of questions whose experiences change their rules, shares and questions, too, decided one by one.
    @Test func everyVisitorWhoEntersOrLeavesARandomGraphIsCounted() throws {
        var (entries, changedBoth) = (0, 0)
        let graphs = caseCount(80, plain: 24)
        for seed in 0..<graphs {
            var random = SeededGenerator(seed: seed)
            let count = 4
            func audiences(ofPlace place: Int) -> [JSValue] {
                let questions = (0..<count).filter { $0 != place && random.happens(40) }.prefix(2).map { target in
                    Configs.leaf(
                        "x", "equals", .string("e\(target)"), negated: random.happens(70),
                        type: "bucketed_into_experience_key")
                }
                let plan: JSValue = random.pick(["a", "b", "a|b", "b|c", "a|b|c"])
                return questions.map { Configs.all($0) } + [Configs.all(Configs.leaf("plan", "isIn", plan))]
            }
            func experience() -> (matching: JSValue, share: JSValue) {
                (random.pick(["all", "all", "any"]), random.pick([0, 30, 60, 100]))
            }
            let old = (0..<count).map { (audiences: audiences(ofPlace: $0), settings: experience()) }
            var new = old
            for place in 0..<count {
                if random.happens(60) { new[place].audiences = audiences(ofPlace: place) }
                if random.happens(60) { new[place].settings = experience() }
            }
            func config(_ graph: [(audiences: [JSValue], settings: (matching: JSValue, share: JSValue))]) -> JSObject {
                Configs.config([
                    "audiences": .array(
                        graph.indices.flatMap { place in
                            graph[place].audiences.enumerated().map { Configs.audience("\(place)\($0)", $1) }
                        }),
                    "experiences": .array(
                        graph.indices.map { place in
                            let (audiences, settings) = graph[place]
                            return .object(
                                Configs.experience(
                                    "e\(place)", id: "9\(place)",
                                    [
                                        "audiences": .array(audiences.indices.map { .string("\(place)\($0)") }),
                                        "settings": ["matching_options": ["audiences": settings.matching]],
                                        "variations": [.object(Configs.variation("1", "v", settings.share))],
                                    ]))
                        }),
                ])
            }
            let people = (0..<400).map { number in
                PopulationVisitor(
                    visitorID: "v\(number)", attributes: ["plan": .string(["a", "b", "c", "d"][number % 4])])
            }
            func decide(_ config: JSObject) throws -> [[PropertyKey: Decision]] {
                let trial = EngineTrial(Project(try ProjectConfig(json: Configs.data(config))), environment: nil)
                return people.map(trial.decisions)
            }
            let difference = try Self.difference(config(old), config(new))
            let (before, after) = (try decide(config(old)), try decide(config(new)))
            func isShown(_ first: [[PropertyKey: Decision]], _ second: [[PropertyKey: Decision]], _ place: Int) -> Bool
            {
                let id = PropertyKey("9\(place)")
                return zip(first, second).contains {
                    $1[id]?.variation != nil && $0[id]?.reason.map { !$0.isBehindTheGates } ?? false
                }
            }
            for (place, found) in difference.experiences.enumerated() {
                let text = "seed \(seed), e\(place): \(found.audience), \(String(describing: found.dependence))"
                if isShown(before, after, place) {
                    #expect(found.isEntered, "\(text)")
                    entries += 1
                }
                if isShown(after, before, place) { #expect(found.isLeft, "\(text)") }
                if found.audience != .equivalent, found.dependence != nil { changedBoth += 1 }
            }
        }
        #expect(entries > graphs * 5 / 8 && changedBoth > graphs / 16)
    }

    /// Graphs of questions, decided for visitors one by one.
    @Test func sharesAreThoseOfVisitorsOverRandomGraphs() throws {
        let visitors = 4_000
        var dependants = 0
        for seed in 0..<caseCount(25, plain: 10) {
            var random = SeededGenerator(seed: seed)
            let count = 5
            let edges = (0..<count).map { place in
                (0..<count).filter { $0 != place && random.happens(35) }.prefix(2).map { ($0, random.happens(70)) }
            }
            let matching: [JSValue] = (0..<count).map { _ in random.happens(50) ? "all" : "any" }
            func config(_ shares: [Int]) -> JSObject {
                var audiences: [JSValue] = []
                let experiences = (0..<count).map { place in
                    let ids = edges[place].map { target, keepsOut in
                        audiences.append(Self.question("\(audiences.count)", "e\(target)", keepsOut: keepsOut))
                        return JSValue.string("\(audiences.count - 1)")
                    }
                    return JSValue.object(
                        Configs.experience(
                            "e\(place)", id: "9\(place)",
                            [
                                "audiences": .array(ids),
                                "settings": ["matching_options": ["audiences": matching[place]]],
                                "variations": [.object(Configs.variation("1", "v", .integer(shares[place])))],
                            ]))
                }
                return Configs.config(["audiences": .array(audiences), "experiences": .array(experiences)])
            }
            let shares = (0..<count).map { _ in random.pick([0, 30, 60, 100]) }
            var changed = shares
            changed[random.int(0...(count - 1))] = random.pick([0, 20, 50, 100])
            let (old, new) = (config(shares), config(changed))
            let difference = try Self.difference(old, new)
            var moved = (0..<count).map { _ in 0 }
            func decide(_ config: JSObject) throws -> [[Bool]] {
                let manager = ExperienceManager(project: Project(try ProjectConfig(json: Configs.data(config))))
                return (0..<visitors).map { number in
                    var visitor = manager.visitor(id: "v\(number)")
                    return manager.selectVariations(for: &visitor, options: DecisionOptions()).value
                        .map { $0.variation != nil }
                }
            }
            for (before, after) in zip(try decide(old), try decide(new)) {
                for place in 0..<count where before[place] != after[place] { moved[place] += 1 }
            }
            for (place, experience) in difference.experiences.enumerated() where experience.key == "e\(place)" {
                let share = Double(moved[place]) / Double(visitors)
                // Of an experience that changed itself the share is that of the visitors whom others let in.
                if shares[place] != changed[place], !edges[place].isEmpty { continue }
                #expect(abs(share - experience.moved) < 0.045, "seed \(seed), e\(place): \(share) \(experience.moved)")
                if share > 0.01 { #expect(experience.changesAnswers) }
                if experience.dependence.map({ $0.newVisitors != .equivalent }) ?? false {
                    dependants += 1
                    #expect(experience.moved > 0 || changed[place] == 0)
                }
            }
        }
        #expect(dependants > 5)
    }

    @Test func aRenamedVariationMovesNoVisitor() throws {
        let old = Self.pair()
        let new = Self.pair([
            "variations": [
                .object(Configs.variation("101", "uno", 50)), .object(Configs.variation("102", "b", 50)),
            ]
        ])
        let found = try ConfigDiff().difference(
            from: Configs.data(old), to: Configs.data(new), environment: "staging",
            visitors: (0..<50).map { PopulationVisitor(visitorID: "v\($0)") }
        ).experiences[0]
        #expect(found.moved == 0 && found.storedMoved == 0 && found.population?.moved == 0)
        #expect(found.renamedVariations == [ConfigDifference.Renaming(from: "a", to: "uno")] && found.changesAnswers)
        #expect(found.disturbance == nil)
    }

    @Test func disturbancesTellWhetherTheRatioBreaks() throws {
        let old = Self.pair()
        func disturbance(_ new: JSObject) throws -> ConfigDifference.Disturbance? {
            try Self.difference(old, new).experiences[0].disturbance
        }
        #expect(try disturbance(Self.pair(Self.arms(60, 40))) == .sampleRatio)
        #expect(try disturbance(Self.pair(Self.arms(25, 25))) == .population)
        #expect(try disturbance(Self.pair(["audiences": ["6"]])) == .population)
        #expect(try disturbance(Self.pair(archived: ["10"])) == .ended)
        #expect(try disturbance(Self.pair(["key": "z"])) == .renamed)
        #expect(try disturbance(old) == nil)
    }
}
