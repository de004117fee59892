internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Properties that meet rules of a config: values of conditions, and sets of values that let groups pass.
struct RuleWitnesses: Sendable {
    /// Values for and against the conditions on a property, by the property's name.
    private(set) var values: [(key: PropertyKey, values: [JSValue])] = []
    /// For each group of the rules, the sets of properties that let it pass; empty if no set was found.
    private(set) var groups: [[JSObject]] = []

    /// The maximum number of sets to keep for a group, and to try.
    private static let witnessLimit = 8
    private static let attemptLimit = 64
    /// The maximum number of groups to consider.
    private static let groupLimit = 100_000

    /// Creates the properties for `trees` under `semantics`. The same trees always give the same properties.
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
            // Guesses find many witnesses for most groups. A group with a pattern, for example, may need a search.
            if witnesses.isEmpty, case .found(let model) = search.run(compiled.map { pool.formula(of: $0, .visitor) }) {
                witnesses.append(model.attributes)
            }
            groups.append(witnesses)
        }
    }

    /// Properties that probably meet one condition of each clause, or all of them under the flat semantics.
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
    /// Values that probably meet the condition, or do not meet it if `holding` is `false`. Callers try them before
    /// using them. Empty if the property must be missing.
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

    /// Texts that a simple pattern may match: its alternatives without special characters.
    private static func guesses(for pattern: String) -> [JSValue] {
        let alternatives = pattern.split(separator: "|").map { alternative in
            String(alternative.filter { !"^$()?*+.[]{}\\:".contains($0) })
        }
        return alternatives.filter { !$0.isEmpty }.map(JSValue.string)
    }
}
