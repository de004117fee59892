import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// Random graphs, defects and nulls among them, against the definition: any block, every clause, any leaf.
struct RandomGraphTests {
    @Test(arguments: RuleSemantics.allCases)
    func aSetOfGroupsIsAnOrOfAndsOfOrs(semantics: RuleSemantics) {
        var verdicts: Set<RuleVerdict> = []
        for seed in 0..<2_000 {
            var random = SeededGenerator(seed: seed)
            let tree = randomTree(&random)
            let attributes = randomAttributes(&random)
            let groups = RuleAdapter(semantics: semantics).flatten(tree)
            let verdict = SingleRuleSet(groups, semantics: semantics).verdict(on: attributes)
            let expected = Oracle(attributes: attributes, all: semantics == .flat).verdict(tree)
            #expect(verdict == expected, "seed \(seed)")
            verdicts.insert(verdict)
        }
        #expect(verdicts == [.matched, .notMatched, .malformed])
    }

    @Test(arguments: RuleSemantics.allCases)
    func ruleDataThatAnswersWithTheAttributesDecidesAsTheyDo(semantics: RuleSemantics) {
        for seed in 0..<1_000 {
            var random = SeededGenerator(seed: seed)
            let groups = RuleAdapter(semantics: semantics).flatten(randomTree(&random))
            let manager = SingleRuleSet(groups, semantics: semantics)
            let attributes: JSObject = ["a": "1", "b": "2", "c": "", "d": "1"]
            let expected = manager.verdict(on: attributes)
            let answered = manager.verdict(answeredBy: Attributes(attributes: attributes))
            #expect(answered == expected, "seed \(seed)")
        }
    }
}

/// Answers with attributes that are all there.
private struct Attributes: RuleData {
    let attributes: JSObject

    func answer(for condition: RuleCondition) -> RuleDataAnswer { .value(condition.key.flatMap { attributes[$0] }) }
}

/// The definition, read off the tree itself.
private struct Oracle {
    let attributes: JSObject
    /// Whether all leaves of a clause must hold.
    let all: Bool

    private struct Thrown: Error {}

    func verdict(_ tree: RuleTree) -> RuleVerdict {
        do {
            return try tree.blocks.contains(where: holds) ? .matched : .notMatched
        } catch {
            return .malformed
        }
    }

    private func holds(_ block: RuleTree.Block?) throws -> Bool {
        guard let block else { throw Thrown() }
        return try !block.clauses.isEmpty && block.clauses.allSatisfy(holds)
    }

    private func holds(_ clause: RuleTree.Clause?) throws -> Bool {
        guard let clause else { throw Thrown() }
        if all { return try !clause.leaves.isEmpty && clause.leaves.allSatisfy(holds) }
        return try clause.leaves.contains(where: holds)
    }

    private func holds(_ leaf: RuleLeaf?) throws -> Bool {
        guard let leaf, leaf.matching != .null else { throw Thrown() }
        guard case .operation("equals", .bool(let negated)) = leaf.matching, let key = leaf.key, let value = leaf.value
        else { return false }
        guard let attribute = attributes[key] else { return all && (value == "") != negated }
        return (attribute == value) != negated
    }
}

private func randomTree(_ random: inout SeededGenerator) -> RuleTree {
    RuleTree(
        blocks: random.list(upTo: 3) { random in
            if random.happens(2) { return nil }
            return RuleTree.Block(
                clauses: random.list(upTo: 3) { random in
                    if random.happens(2) { return nil }
                    return RuleTree.Clause(
                        leaves: random.list(upTo: 4) { random in random.happens(2) ? nil : randomLeaf(&random) })
                })
        })
}

private func randomLeaf(_ random: inout SeededGenerator) -> RuleLeaf {
    var leaf = RuleLeaf(
        ruleType: "generic_text_key_value", key: random.pick(["a", "b", "c", "d"]),
        value: .string(random.pick(["", "1", "2"])),
        matching: .operation(matchType: "equals", negated: .bool(random.happens(30))))
    switch random.int(1...40) {
    case 1: leaf.value = nil
    case 2: leaf.matching = .operation(matchType: "almost", negated: true)
    case 3: leaf.matching = .operation(matchType: "equals", negated: "true")
    case 4: leaf.matching = .missing
    case 5: leaf.matching = .null
    default: break
    }
    return leaf
}

private func randomAttributes(_ random: inout SeededGenerator) -> JSObject {
    var attributes = JSObject()
    for key in ["a", "b", "c", "d"] where random.happens(70) {
        attributes[key] = .string(random.pick(["", "1", "2"]))
    }
    return attributes
}
