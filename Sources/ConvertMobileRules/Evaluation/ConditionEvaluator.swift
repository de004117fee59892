internal import ConvertECMAScript
internal import ConvertValues

/// Evaluates conditions as in the document, one by one, and explains each result.
///
/// This evaluation is slow and simple, without predicates, steps and index. Tests compare their answers with its
/// answers.
struct ConditionEvaluator {
    typealias Outcome = RulesExplanation.Condition

    let semantics: MobileRulesSemantics
    var view: EventView
    /// The values that conditions have read, by key, so that the forms of a long text are computed once.
    private var forms: [PropertyKey: MobileValue] = [:]
    /// The cost that is left for comparisons with long texts.
    private var comparisonRoom = MobileRulesLimits.comparedLength
    /// The answers of comparisons with long texts. Each comparison is charged once.
    private var answers: [Comparison: Bool] = [:]

    private struct Comparison: Hashable {
        let key: PropertyKey
        let matcher: MobileMatcher
        let operands: [MobileOperand]
    }

    init(semantics: MobileRulesSemantics, view: EventView) {
        self.semantics = semantics
        self.view = view
    }

    /// Evaluates every rule, and explains the result.
    mutating func explain(_ rules: [MobileRule]) -> RulesExplanation {
        var explained: [RulesExplanation.Rule] = []
        for (index, rule) in rules.enumerated() {
            let outcome = outcome(of: rule.condition)
            explained.append(
                RulesExplanation.Rule(
                    index: index, matches: outcome.holds == true && !view.exceedsLimits,
                    consequences: rule.consequences.map(\.id), condition: outcome))
        }
        return RulesExplanation(eventType: view.event.type, eventSource: view.event.source, rules: explained)
    }

    private mutating func outcome(of condition: Condition) -> Outcome {
        switch condition {
        case .unusable(let reason): Outcome(kind: "unusable", holds: whenUnusable, detail: reason)
        case .group(let group): outcome(of: group)
        case .matcher(let matcher): outcome(of: matcher)
        case .historical(let historical): outcome(of: historical)
        }
    }

    /// The result of an unusable condition: `false`, or `nil` if the condition is left out.
    private var whenUnusable: Bool? { semantics == .standard ? false : nil }

    private mutating func outcome(of group: Condition.Group) -> Outcome {
        var members: [Outcome] = []
        for condition in group.conditions { members.append(outcome(of: condition)) }
        let answers = members.compactMap(\.holds)
        let holds: Bool?
        let logic: String
        switch group.logic {
        case .and: (holds, logic) = (answers.isEmpty ? nil : answers.allSatisfy { $0 }, "and")
        case .or: (holds, logic) = (answers.isEmpty ? nil : answers.contains(true), "or")
        case .unknown(let name): (holds, logic) = (answers.isEmpty ? nil : false, name)
        }
        return Outcome(kind: "group", holds: holds, detail: logic, conditions: members)
    }

    private mutating func outcome(of matcher: Condition.Matcher) -> Outcome {
        let values = matcher.values.map { EventText.json(of: $0) }.joined(separator: ", ")
        let detail = "\(matcher.key) \(matcher.matcher) [\(values)]"
        let operands = matcher.operands
        let isIncomplete = matcher.comparison.needsAllOperands && operands.count < matcher.values.count
        if operands.isEmpty || (semantics == .standard && isIncomplete) {
            return Outcome(kind: "matcher", holds: operands.isEmpty ? whenUnusable : false, detail: detail)
        }
        let (key, reference) = (PropertyKey(matcher.key), KeyReference(matcher.key))
        // Take the value out of the dictionary: a change of a value that is still in it copies the value.
        var value = forms.removeValue(forKey: key) ?? MobileValue(view.value(of: reference))
        // The cache buster has a new value at each reading.
        defer { if reference != .cacheBuster { forms[key] = value } }
        guard let holds = holds(matcher, &value, operands) else {
            return Outcome(kind: "matcher", holds: false, detail: detail + " (given up)", value: value.value)
        }
        return Outcome(kind: "matcher", holds: holds, detail: detail, value: value.value)
    }

    /// Whether the value meets the matcher; `nil` if the comparison costs more than is left.
    private mutating func holds(
        _ matcher: Condition.Matcher, _ value: inout MobileValue, _ operands: [MobileOperand]
    ) -> Bool? {
        let visits = MobileCost.visits(matcher.comparison, on: &value, operands)
        if visits == 0 { return matcher.comparison.matches(&value, operands[...]) }
        let comparison = Comparison(key: PropertyKey(matcher.key), matcher: matcher.comparison, operands: operands)
        if let known = answers[comparison] { return known }
        guard visits <= comparisonRoom else { return nil }
        comparisonRoom -= visits
        let holds = matcher.comparison.matches(&value, operands[...])
        answers[comparison] = holds
        return holds
    }

    private mutating func outcome(of historical: Condition.Historical) -> Outcome {
        let search = HistoricalSearch(condition: historical, now: view.environment.now)
        let count = (try? search.result(&view.lookups)) ?? -1
        let events = historical.events.map { EventText.json(of: .object($0)) }.joined(separator: ", ")
        return Outcome(
            kind: "historical", holds: historical.comparison.matches(count, historical.value),
            detail: "\(historical.searchType.rawValue) of [\(events)] \(historical.matcher) \(historical.value)",
            count: count)
    }
}
