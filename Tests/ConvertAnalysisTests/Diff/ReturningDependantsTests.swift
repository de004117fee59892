import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// What others change for visitors who come back with decisions that are stored for other experiences.
struct ReturningDependantsTests {
    private static func question(_ id: String, _ key: String, keepsOut: Bool = true) -> JSValue {
        Configs.audience(
            id,
            Configs.all(
                Configs.leaf("x", "equals", .string(key), negated: keepsOut, type: "bucketed_into_experience_key")))
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    @Test func aQuestionAboutALaterExperienceReachesTheDependantsThroughStoredDecisions() throws {
        func config(_ audiences: JSObject) -> JSObject {
            Configs.config([
                "audiences": [Self.question("5", "a"), Self.question("6", "c")],
                "experiences": [
                    .object(Configs.experience("a", id: "10", audiences)),
                    .object(Configs.experience("b", id: "11", ["audiences": ["5"]])),
                    .object(Configs.experience("c", id: "12")),
                ],
            ])
        }
        let difference = try Self.difference(config([:]), config(["audiences": ["6"]]))
        let found = difference.experiences[1]
        let dependence = try #require(found.dependence)
        #expect(dependence.dependsOn == ["a"] && dependence.change == .wider && dependence.newVisitors == .equivalent)
        #expect(dependence.enters?.stored.bucketing?["12"]?.isTruthy ?? false)
        #expect(found.change == .changed && found.isEntered && found.disturbance == .population && found.moved == 0)
        #expect(difference.headline.contains("Other visitors than before are let into a, b."))
    }

    /// Graphs of questions one of which is edited; visitors have stored decisions of any experiences.
    @Test func noVisitorWithStoredDecisionsChangesInAnExperienceThatIsNotListed() throws {
        var (changes, ofReturning) = (0, 0)
        for seed in 0..<caseCount(60) {
            var random = SeededGenerator(seed: seed)
            let count = 4
            var audiences: [JSValue] = [
                Configs.audience("90", Configs.all(Configs.leaf("plan", "equals", "pro"))),
                Self.question("99", "e\(random.int(0...(count - 1)))", keepsOut: false),
            ]
            var experiences = (0..<count).map { place in
                var ids: [JSValue] = random.happens(40) ? ["90"] : []
                for other in 0..<count where other != place && random.happens(30) {
                    audiences.append(Self.question("\(place)\(other)", "e\(other)", keepsOut: random.happens(75)))
                    ids.append(.string("\(place)\(other)"))
                }
                return Configs.experience(
                    "e\(place)", id: "\(place + 1)",
                    ["audiences": .array(ids), "settings": ["matching_options": ["audiences": "all"]]])
            }
            func config(archived: [JSValue] = []) -> JSObject {
                Configs.config([
                    "audiences": .array(audiences), "experiences": .array(experiences.map { .object($0) }),
                    "archived_experiences": .array(archived),
                ])
            }
            let old = config()
            let place = random.int(0...(count - 1))
            let id: JSValue = .string("\(place + 1)")
            let attached = experiences[place]["audiences"]?.arrayValue ?? []
            var archived: [JSValue] = []
            switch random.int(0...4) {
            case 0:
                let arm = Configs.variation("\(place + 1)1", "a", .integer(random.pick([0, 30])))
                experiences[place]["variations"] = [
                    .object(arm), .object(Configs.variation("\(place + 1)2", "b", 30)),
                ]
            case 1: experiences[place]["audiences"] = .array(Array(attached.dropFirst()))
            case 2: experiences[place]["audiences"] = .array(attached + ["99"])
            case 3: archived = [id]
            default: experiences.swapAt(place, random.int(0...(count - 1)))
            }
            let new = config(archived: archived)
            let people = (0..<300).map { number in
                var bucketing = JSObject()
                for place in 1...count where number >= 60 && random.happens(35) {
                    bucketing["\(place)"] = .string("\(place)\(random.int(1...2))")
                }
                return PopulationVisitor(
                    visitorID: "v\(number)", attributes: ["plan": random.happens(50) ? "pro" : "free"],
                    stored: VisitorState(record: ["bucketing": .object(bucketing)]))
            }
            let answers = try [old, new].map { config in
                let manager = ExperienceManager(project: Project(try ProjectConfig(json: Configs.data(config))))
                return people.map { person in
                    var visitor = manager.visitor(
                        id: person.visitorID, attributes: person.attributes, state: person.stored)
                    let decisions = manager.selectVariations(for: &visitor, options: DecisionOptions()).value
                    return Dictionary(
                        uniqueKeysWithValues: decisions.map { ($0.variation?.experienceKey, $0.variation?.variationID) }
                            .compactMap { key, id in key.map { ($0, id) } })
                }
            }
            for found in try Self.difference(old, new).experiences {
                let pairs = zip(answers[0], answers[1]).map { ($0[found.key] ?? nil, $1[found.key] ?? nil) }
                guard pairs.contains(where: { $0 != $1 }) else { continue }
                changes += 1
                if !pairs.prefix(60).contains(where: { $0 != $1 }) { ofReturning += 1 }
                #expect(found.changesAnswers, "seed \(seed), \(found.key)")
                if found.reordered.isEmpty {
                    let enters = pairs.contains { $0 == nil && $1 != nil && found.moves.isEmpty }
                    let leaves = pairs.contains { $0 != nil && $1 == nil && found.moves.isEmpty }
                    if enters { #expect(found.isEntered, "seed \(seed), \(found.key)") }
                    if leaves { #expect(found.isLeft, "seed \(seed), \(found.key)") }
                }
            }
        }
        #expect(changes > 60 && ofReturning > 3)
    }
}
