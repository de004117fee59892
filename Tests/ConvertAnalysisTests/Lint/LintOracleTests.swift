@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// What lint says of random configs, against all visitors of a small world who are decided by the engine.
struct LintOracleTests {
    private static let values: [JSValue?] = [
        nil, .null, true, "", "a", "A", "b", "ab", "1", "5", 5, 10, -1, ["a"], ["a", "b"], ["a": 1],
    ]

    private static let world: [JSObject] = values.flatMap { first in
        values.map { second in
            var attributes = JSObject()
            attributes["x"] = first
            attributes["y"] = second
            return attributes
        }
    }

    private static func config(_ random: inout SeededGenerator, _ semantics: RuleSemantics) -> JSObject {
        let audiences: [JSValue] = (0..<random.int(1...3)).map { number in
            let groups: [[[JSValue]]] = (0..<random.int(1...3)).map { _ in
                (0..<random.int(1...2)).map { _ in
                    (0..<random.int(1...2)).map { _ in
                        let condition = RandomConditions.condition(
                            &random, key: random.pick(["x", "y"]), semantics: semantics)
                        return Configs.leaf(
                            condition.key ?? "", condition.matchType, condition.value, negated: condition.negation)
                    }
                }
            }
            return Configs.audience("\(number)", Configs.rules(groups))
        }
        let matching: JSValue = random.happens(50) ? "all" : "any"
        return Configs.config([
            "audiences": .array(audiences),
            "experiences": [
                .object(
                    Configs.experience(
                        "checkout", id: "10",
                        [
                            "audiences": .array(audiences.indices.map { .string("\($0)") }),
                            "settings": ["matching_options": ["audiences": matching]],
                        ]))
            ],
        ])
    }

    @Test func noVisitorOfASmallWorldContradictsAFinding() throws {
        var counts: [LintCode: Int] = [:]
        var entryCount = 0
        for semantics in RuleSemantics.allCases {
            for seed in 0..<caseCount(20) {
                try compare(seed, semantics, &counts, &entryCount)
            }
        }
        #expect(entryCount > 0)
        for code in [LintCode.groupNeverHolds, .groupImplied, .audienceNeverHolds, .experienceUnreachable] {
            #expect((counts[code] ?? 0) > 0, "\(code): \(counts)")
        }
    }

    private static func hasList(_ attributes: JSObject) -> Bool {
        attributes.contains { $0.value.arrayValue != nil || $0.value.objectValue != nil }
    }

    private func compare(
        _ seed: Int, _ semantics: RuleSemantics, _ counts: inout [LintCode: Int], _ entryCount: inout Int
    ) throws {
        var random = SeededGenerator(seed: seed)
        let document = Self.config(&random, semantics)
        let data = Configs.data(document)
        let config = try ProjectConfig(json: data)
        let rules = config.audiences.map { $0.rules.map(RuleAdapter(semantics: semantics).flatten) ?? [] }
        let experiences = ExperienceManager(
            project: Project(config, options: CompilationOptions(semantics: semantics)))
        func tried(_ groups: [RuleGroup]) -> TriedRules { TriedRules(groups, semantics) }
        /// Through the whole experience: its audiences let the witness in if they are alternatives, or there is one.
        func expectEntry(of witness: PopulationVisitor, _ place: String) {
            var visitor = experiences.visitor(
                id: witness.visitorID, attributes: witness.attributes, state: witness.stored)
            var options = DecisionOptions()
            options.locationProperties = witness.locationProperties ?? JSObject()
            let decision = experiences.selectVariation("checkout", for: &visitor, options: options)
            let isAny = config.experiences[0].audienceMatching == .any || config.audiences.count == 1
            #expect(decision.value.variation != nil || !isAny, "\(place): \(witness.json)")
            if isAny { entryCount += 1 }
        }
        func isEntered(by attributes: JSObject) -> Bool {
            var visitor = experiences.visitor(id: "v", attributes: attributes)
            var options = DecisionOptions()
            options.locationProperties = JSObject()
            return experiences.selectVariation("checkout", for: &visitor, options: options).value.variation != nil
        }
        for finding in try ConfigLint(semantics: semantics, limits: RandomConditions.limits).findings(in: data) {
            counts[finding.code, default: 0] += 1
            let numbers = finding.path.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
            let place = "seed \(seed): \(finding.code.rawValue) \(finding.path) \(finding.message)"
            switch finding.code {
            case .groupNeverHolds:
                let group = tried([rules[numbers[0]][numbers[1]]])
                #expect(!Self.world.contains(where: group.areMet), "\(place)")
            case .groupNeedsList where numbers.count == 1:
                let witness = try #require(finding.witness)
                expectEntry(of: witness, "\(place)")
                #expect(!Self.world.contains { !Self.hasList($0) && isEntered(by: $0) }, "\(place)")
            case .groupNeedsList:
                let group = tried([rules[numbers[0]][numbers[1]]])
                let witness = try #require(finding.witness)
                #expect(group.areMet(by: witness.attributes), "\(place)")
                expectEntry(of: witness, "\(place)")
                #expect(!Self.world.contains { !Self.hasList($0) && group.areMet(by: $0) }, "\(place)")
            case .groupImplied:
                let groups = rules[numbers[0]]
                let (group, others) = (tried([groups[numbers[1]]]), tried(Array(groups[..<numbers[1]])))
                #expect(!Self.world.contains { group.areMet(by: $0) && !others.areMet(by: $0) }, "\(place)")
                if let witness = finding.witness {
                    #expect(group.areMet(by: witness.attributes), "\(place)")
                    expectEntry(of: witness, "\(place)")
                }
            case .audienceNeverHolds:
                #expect(!Self.world.contains(where: tried(rules[numbers[0]]).areMet), "\(place)")
            case .audienceAlwaysHolds:
                #expect(Self.world.allSatisfy(tried(rules[numbers[0]]).areMet), "\(place)")
            case .experienceUnreachable:
                #expect(!Self.world.contains(where: isEntered), "\(place)")
            default: break
            }
        }
    }
}
