internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Properties that rules of a config ask for: values that conditions name, and sets of them that let groups pass.
struct RuleWitnesses: Sendable {
    /// Values that conditions on a property compare with, and such that they do not hold for, by the property's name.
    private(set) var values: [(key: PropertyKey, values: [JSValue])] = []
    /// For each group of the rules sets of properties under which it passes; empty if none was found.
    private(set) var groups: [[JSObject]] = []

    /// How many sets are kept for a group, and how many are tried.
    private static let witnessLimit = 8
    private static let attemptLimit = 64
    /// How many groups are looked at; a config has fewer than its parts.
    private static let groupLimit = 100_000

    /// What `trees` ask for, under `semantics`. The same trees give the same properties.
    init(of trees: [RuleTree], semantics: RuleSemantics) {
        var random = SplitMix64(seed: 1)
        var places: [PropertyKey: Int] = [:]
        var known: [Set<JSValue>] = []
        let adapter = RuleAdapter(semantics: semantics)
        let pool = ConditionPool(semantics: semantics, budget: AnalysisBudget())
        let search = VisitorSearch(pool)
        for block in trees.lazy.flatMap(\.blocks).compactMap(\.self).prefix(Self.groupLimit) {
            let clauses = block.clauses.compactMap { $0?.leaves.compactMap(\.self) }
            for leaf in clauses.joined() {
                guard let key = leaf.propertyName(under: semantics) else { continue }
                let place = places[key] ?? values.count
                if place == values.count {
                    places[key] = place
                    values.append((key, []))
                    known.append([])
                }
                for value in leaf.values(holding: true) + leaf.values(holding: false)
                where known[place].insert(value).inserted {
                    values[place].values.append(value)
                }
            }
            let compiled = adapter.flatten(RuleTree(blocks: [block]))
            let rules = SingleRuleSet(compiled, semantics: semantics)
            var witnesses: [JSObject] = []
            for _ in 0..<Self.attemptLimit where witnesses.count < Self.witnessLimit {
                guard let candidate = Self.candidate(for: clauses, semantics, &random) else { break }
                if !witnesses.contains(candidate), rules.evaluate(against: candidate) {
                    witnesses.append(candidate)
                }
            }
            // Guesses give many witnesses of most groups; a group such as one with a pattern may take a search for one.
            if witnesses.isEmpty, case .found(let model) = search.run(compiled.map { pool.formula(of: $0, .visitor) }) {
                witnesses.append(model.attributes)
            }
            groups.append(witnesses)
        }
    }

    /// Properties for which one condition of each clause should hold.
    private static func candidate(
        for clauses: [[RuleLeaf]], _ semantics: RuleSemantics, _ random: inout SplitMix64
    ) -> JSObject? {
        var properties: JSObject = [:]
        for clause in clauses {
            let leaves = semantics == .flat ? clause : random.pick(clause).map { [$0] } ?? []
            for leaf in leaves {
                guard let key = leaf.propertyName(under: semantics) else { continue }
                if let value = random.pick(leaf.values(holding: true)) { properties[key] = value }
            }
        }
        return properties
    }
}

extension RuleLeaf {
    /// Values for which the condition should hold, or should not; callers try them before they are witnesses. None
    /// where a missing property is what is wanted.
    fileprivate func values(holding: Bool) -> [JSValue] {
        guard case .operation(let matchType?, let negated) = matching,
            let comparison = Operation(wireName: matchType, under: .standard)
        else { return [] }
        let isMet = holding != (negated?.isTruthy ?? false)
        let text = ECMAScript.toString(value)
        let other: JSValue = .string(text + "-other")
        switch comparison {
        case .exists, .mobile(.exists): return isMet ? ["present"] : []
        case .notExists, .doesNotExist, .mobile(.notExists): return isMet ? [] : ["present"]
        case .less, .mobile(.less), .mobile(.greaterOrEqual):
            return numbers(isMet == (comparison != .mobile(.greaterOrEqual)) ? [-1, -10] : [0, 1])
        case .lessEqual, .mobile(.lessOrEqual), .mobile(.greater):
            return numbers(isMet == (comparison != .mobile(.greater)) ? [0, -1] : [1, 10])
        case .isIn:
            let list = value?.arrayValue ?? text.split(separator: "|").map { .string(String($0)) }
            return isMet ? list : [other]
        case .contains, .mobile(.contains):
            return isMet ? [.string(text), .string("a \(text) b")] : [.string("x")]
        case .mobile(.notContains): return isMet ? [.string("x")] : [.string(text)]
        case .startsWith, .mobile(.startsWith):
            return isMet ? [.string(text), .string(text + " b")] : [.string("-" + text)]
        case .endsWith, .mobile(.endsWith): return isMet ? [.string(text), .string("a " + text)] : [other]
        case .regexMatches: return isMet ? Self.guesses(for: text) : [.string("-")]
        case .equals, .mobile(.equals), .mobile(.notEquals):
            let isEqual = isMet == (comparison != .mobile(.notEquals))
            if let values = value?.arrayValue { return isEqual ? values : [other] }
            guard let value else { return [] }
            if let flag = value.boolValue { return [.bool(flag == isEqual)] }
            return isEqual ? [value] : value.numberValue.map { [JSValue($0 + 1)] } ?? [other]
        }
    }

    private func numbers(_ distances: [Double]) -> [JSValue] {
        let number = ECMAScript.toNumber(value)
        return number.isFinite ? distances.map { JSValue(number + $0) } : []
    }

    /// Texts that a simple pattern may match: its alternatives without what is special in patterns.
    private static func guesses(for pattern: String) -> [JSValue] {
        let alternatives = pattern.split(separator: "|").map { alternative in
            String(alternative.filter { !"^$()?*+.[]{}\\:".contains($0) })
        }
        return alternatives.filter { !$0.isEmpty }.map(JSValue.string)
    }
}
