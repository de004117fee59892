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

    @Test(arguments: RuleSemantics.allCases)
    func noVisitorOfASmallWorldContradictsAFinding(semantics: RuleSemantics) throws {
        var counts: [LintCode: Int] = [:]
        for seed in 0..<caseCount(60) {
            var random = SeededGenerator(seed: seed)
            let document = Self.config(&random, semantics)
            let data = Configs.data(document)
            let config = try ProjectConfig(json: data)
            let rules = config.audiences.map { $0.rules.map(RuleAdapter(semantics: semantics).flatten) ?? [] }
            let manager = RuleManager(semantics: semantics)
            let experiences = ExperienceManager(
                project: Project(config, options: CompilationOptions(semantics: semantics)))
            func meets(_ groups: [RuleGroup], _ attributes: JSObject) -> Bool {
                manager.evaluate(rules: groups, against: attributes)
            }
            for finding in try ConfigLint(semantics: semantics, limits: RandomConditions.limits).findings(in: data) {
                counts[finding.code, default: 0] += 1
                let numbers = finding.path.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
                let place = "seed \(seed): \(finding.code.rawValue) \(finding.path) \(finding.message)"
                switch finding.code {
                case .groupNeverHolds:
                    let group = rules[numbers[0]][numbers[1]]
                    #expect(!Self.world.contains { meets([group], $0) }, "\(place)")
                case .groupNeedsList:
                    let group = rules[numbers[0]][numbers[1]]
                    let witness = try #require(finding.witness)
                    #expect(meets([group], witness.attributes), "\(place)")
                    #expect(
                        !Self.world.contains { attributes in
                            let hasList = attributes.contains {
                                $0.value.arrayValue != nil || $0.value.objectValue != nil
                            }
                            return !hasList && meets([group], attributes)
                        }, "\(place)")
                case .groupImplied:
                    let groups = rules[numbers[0]]
                    let others = Array(groups[..<numbers[1]])
                    #expect(
                        !Self.world.contains { meets([groups[numbers[1]]], $0) && !meets(others, $0) }, "\(place)")
                    if let witness = finding.witness {
                        #expect(meets([groups[numbers[1]]], witness.attributes), "\(place)")
                    }
                case .audienceNeverHolds:
                    #expect(!Self.world.contains { meets(rules[numbers[0]], $0) }, "\(place)")
                case .audienceAlwaysHolds:
                    #expect(Self.world.allSatisfy { meets(rules[numbers[0]], $0) }, "\(place)")
                case .experienceUnreachable:
                    let isEntered = Self.world.contains { attributes in
                        var visitor = experiences.visitor(id: "v", attributes: attributes)
                        var options = DecisionOptions()
                        options.locationProperties = JSObject()
                        return experiences.selectVariation("checkout", for: &visitor, options: options).variation != nil
                    }
                    #expect(!isEntered, "\(place)")
                default: break
                }
            }
        }
        for code in [LintCode.groupNeverHolds, .groupImplied, .audienceNeverHolds, .experienceUnreachable] {
            #expect((counts[code] ?? 0) > 0, "\(code): \(counts)")
        }
    }
}
