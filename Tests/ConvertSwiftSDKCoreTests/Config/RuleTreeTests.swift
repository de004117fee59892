import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct RuleTreeTests {
    /// The leaf that `wire` decodes to.
    private func leaf(_ wire: JSValue) throws -> RuleLeaf? {
        RuleTree(rules([wire])).blocks.first??.clauses.first??.leaves.first ?? nil
    }

    @Test func aTreeHasTheBlocksThatItWasMadeOf() {
        let leaf = RuleLeaf(ruleType: "t", key: "k", value: 1, matching: .missing)
        let blocks: [RuleTree.Block?] = [
            nil, .init(clauses: []), .init(clauses: [nil, .init(leaves: []), .init(leaves: [leaf, nil, leaf])]), nil,
            .init(clauses: [.init(leaves: [nil])]),
        ]
        #expect(RuleTree(blocks: blocks).blocks == blocks)
        #expect(RuleTree(blocks: blocks) != RuleTree(blocks: blocks.dropLast()))
    }

    @Test func everyMemberOfALeafIsRead() throws {
        let wire: JSValue = [
            "rule_type": "cookie", "key": "k", "value": ["a", 1],
            "matching": ["match_type": "equals", "negated": true], "other": 1,
        ]
        let expected = RuleLeaf(
            ruleType: "cookie", key: "k", value: ["a", 1], matching: .operation(matchType: "equals", negated: true))
        #expect(try leaf(wire) == expected)
    }

    @Test func leavesThatRepeatAreReadWhereverTheyStand() throws {
        let matching: [JSValue] = [
            ["match_type": "equals", "negated": false], ["match_type": "equals", "negated": true],
            ["match_type": "equals"], ["negated": false], [:], .null, 7,
        ]
        let values: [JSValue] = [1, "1", .null, ["a"], ["a", "a"], ["0": 1], true]
        var wires: [JSValue] = [[:], .null, 7]
        for (matching, value) in matching.flatMap({ matching in values.map { (matching, $0) } }) {
            wires.append(["key": "k", "value": value, "matching": matching])
            wires.append(["rule_type": "k", "value": value, "matching": matching])
        }
        let tree = RuleTree(rules(wires + wires.reversed()))
        let expected = try wires.map { try leaf($0) }
        #expect(tree.blocks.first??.clauses.first??.leaves == expected + expected.reversed())
    }

    @Test func aLeafThatIsChangedChangesNoOther() {
        let leaf = RuleLeaf(ruleType: "t", key: "k", value: 1, matching: .missing)
        var changed = leaf
        changed.key = "other"
        changed.value = nil
        changed.matching = .null
        #expect(leaf == RuleLeaf(ruleType: "t", key: "k", value: 1, matching: .missing))
        #expect(changed == RuleLeaf(ruleType: "t", key: "other", value: nil, matching: .null))
    }

    @Test func aNullValueDiffersFromAMissingOne() throws {
        #expect(try leaf(["value": .null])?.value == JSValue.null)
        #expect(try leaf([:])?.value == nil)
    }

    @Test(arguments: [7, .null, true, ["a"], [:]] as [JSValue]) func aNameOfAnotherTypeIsIgnored(name: JSValue) throws {
        let leaf = try leaf(["key": name, "rule_type": name, "matching": ["match_type": name, "negated": true]])
        var expected = RuleLeaf(
            ruleType: nil, key: nil, value: nil, matching: .operation(matchType: nil, negated: true))
        expected.isKeyMalformed = name != .null
        #expect(leaf == expected)
    }

    @Test(arguments: ["true", 1, 0, .null, [:]] as [JSValue]) func aNegationOfAnotherTypeStaysAsItIs(value: JSValue)
        throws
    {
        let leaf = try leaf(["matching": ["match_type": "equals", "negated": value]])
        #expect(leaf?.matching == .operation(matchType: "equals", negated: value))
    }

    @Test(
        arguments: [("x", .missing), (7, .missing), ([], .missing), (.null, .null)] as [(JSValue, RuleLeaf.Matching)])
    func aMatchingThatIsNoObjectSaysNothing(wire: JSValue, expected: RuleLeaf.Matching) throws {
        #expect(try leaf(["matching": wire])?.matching == expected)
    }

    @Test func nullsKeepTheirPlaceAtEveryLevel() throws {
        #expect(RuleTree(["OR": [.null, [:]]]).blocks == [nil, .init(clauses: [])])
        #expect(RuleTree(["OR": [["AND": [.null]]]]).blocks == [.init(clauses: [nil])])
        #expect(RuleTree(rules([.null])).blocks == [.init(clauses: [.init(leaves: [nil])])])
    }

    @Test(arguments: ["x", 7, .null, [], [:], ["OR": 7], ["OR": .null], ["or": [[:]]]] as [JSValue])
    func anyOtherShapeHoldsNothing(wire: JSValue) throws {
        #expect(RuleTree(wire).blocks.isEmpty)
    }
}
