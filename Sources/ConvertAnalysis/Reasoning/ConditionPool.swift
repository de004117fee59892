internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The distinct conditions of a config.
final class ConditionPool {
    private struct Key: Hashable {
        let attribute: PropertyKey?
        let comparison: Int
    }

    /// A condition's comparison, without its attribute.
    private struct Comparison: Hashable {
        let matchType: PropertyKey
        let value: PropertyKey?
        let isNegated: Bool
        let isDefective: Bool
        /// Whether the attribute is `name`: under some semantics, one of its values hides all attributes.
        let isOfName: Bool
    }

    /// The number of groups in one portion, if a `null` may end evaluation.
    private static let portionLength = 64

    let semantics: RuleSemantics
    let budget: AnalysisBudget
    /// The patterns of conditions and of the configs, each compiled once.
    let patterns = PatternPool()
    private(set) var domains: [ConditionDomain] = []
    private var numbers: [Key: Int] = [:]
    private var comparisons: [Comparison: Int] = [:]
    private var facts: [ComparisonFacts] = []
    /// The number of each condition's comparison.
    private var comparisonNumbers: [Int] = []

    init(semantics: RuleSemantics, budget: AnalysisBudget) {
        self.semantics = semantics
        self.budget = budget
    }

    /// The options for compiling the configs that contain the conditions.
    var options: CompilationOptions {
        var options = CompilationOptions(semantics: semantics)
        options.patterns = patterns
        return options
    }

    subscript(number: Int) -> ConditionDomain { domains[number] }

    /// The number of a condition's comparison, which conditions on other attributes may share.
    func comparison(of number: Int) -> Int { comparisonNumbers[number] }

    /// The number of a condition, which is added if it is new.
    func intern(_ condition: RuleCondition) -> Int {
        let attribute = condition.attribute
        let comparison = comparison(in: condition, isOfName: attribute == "name")
        let key = Key(attribute: attribute, comparison: comparison)
        if let number = numbers[key] { return number }
        numbers[key] = domains.count
        domains.append(ConditionDomain(condition, facts[comparison], semantics: semantics, patterns))
        comparisonNumbers.append(comparison)
        return domains.count - 1
    }

    private func comparison(in condition: RuleCondition, isOfName: Bool) -> Int {
        let comparison = Comparison(
            matchType: PropertyKey(condition.matchType),
            value: condition.value.map { PropertyKey(ECMAScript.jsonText(keepingNumbersOf: $0)) },
            isNegated: condition.negation, isDefective: condition.defect != nil, isOfName: isOfName)
        if let number = comparisons[comparison] { return number }
        comparisons[comparison] = facts.count
        facts.append(ComparisonFacts(condition, semantics, patterns))
        return facts.count - 1
    }

    /// The formula of a condition on properties of `scope`.
    func formula(of condition: RuleCondition, _ scope: Formula.Scope) -> Formula {
        let number = intern(condition)
        if let constant = domains[number].constant { return Formula(constant) }
        return .literal(Formula.Literal(proposition: .condition(number, scope), isWanted: true))
    }

    /// The formula for a flattened rule graph: it holds if the graph matches.
    func formula(of groups: [RuleGroup], _ scope: Formula.Scope) -> Formula { .some(alternatives(of: groups, scope)) }

    /// The formulas any of which must hold for a flattened rule graph to match. Without a `null`, these are the
    /// formulas of its groups.
    ///
    /// Evaluation that reaches a `null` ends without a match, whatever follows.
    func alternatives(of groups: [RuleGroup], _ scope: Formula.Scope) -> [Formula] {
        var outcomes = groups.map { outcome(of: $0, scope) }[...]
        if outcomes.allSatisfy({ $0.ends.known == false }) { return outcomes.map(\.matches) }
        // Built from the end in portions, so that formulas nest less deeply than the number of groups.
        var rest = Formula.fails
        var result: [Formula] = []
        while !outcomes.isEmpty {
            let portion = outcomes.suffix(Self.portionLength)
            outcomes.removeLast(portion.count)
            result = []
            var goesOn: [Formula] = []
            for (matches, ends) in portion {
                result.append(.every(goesOn + [matches]))
                if ends.known != false { goesOn.append(ends.negated) }
            }
            result.append(.every(goesOn + [rest]))
            rest = .some(result)
        }
        return result
    }

    /// The formula for one group: it holds if the group matches once evaluation reaches it.
    func formula(of group: RuleGroup, _ scope: Formula.Scope, given: Given? = nil) -> Formula {
        outcome(of: group, scope, given: given).matches
    }

    /// An assumed answer of a group's condition.
    struct Given {
        let clause: Int
        let leaf: Int
        let holds: Bool
    }

    /// The formulas for a match of the group, and for an end of evaluation at a `null` in it.
    private func outcome(
        of group: RuleGroup, _ scope: Formula.Scope, given: Given? = nil
    ) -> (matches: Formula, ends: Formula) {
        var matches = Formula.holds
        var ends = Formula.fails
        var clauses: [Formula] = []
        for (place, clause) in group.clauses.enumerated() {
            let conditions = clause.prefix { $0.defect != .null }
            var formulas = conditions.map { formula(of: $0, scope) }
            if let given, given.clause == place, given.leaf < formulas.count {
                formulas[given.leaf] = Formula(given.holds)
            }
            let hasNull = conditions.count < clause.count
            let clauseMatches: Formula
            let clauseEnds: Formula
            if semantics == .flat {
                clauseMatches = hasNull || clause.isEmpty ? .fails : .every(formulas)
                clauseEnds = hasNull ? .every(formulas) : .fails
            } else {
                clauseMatches = .some(formulas)
                clauseEnds = hasNull ? .every(formulas.map(\.negated)) : .fails
            }
            if clauseEnds.known != false { ends = ends || (.every(clauses) && clauseEnds) }
            clauses.append(clauseMatches)
        }
        matches = group.clauses.isEmpty ? .fails : .every(clauses)
        return (matches, ends)
    }
}
