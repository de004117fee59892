internal import ConvertECMAScript
internal import ConvertValues

/// Evaluates conditions as they stand in the document, one by one, and tells what each came to.
///
/// The slow and plain way. It knows nothing of predicates, steps and the index, so that what they answer can be checked
/// against it.
struct ConditionEvaluator {
    typealias Outcome = RulesExplanation.Condition

    let semantics: MobileRulesSemantics
    var view: EventView
    /// What comparisons with long texts may still take.
    private var comparisonRoom = MobileRulesLimits.comparedLength

    init(semantics: MobileRulesSemantics, view: EventView) {
        self.semantics = semantics
        self.view = view
    }

    /// What the event makes of every rule.
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

    /// What a condition comes to that cannot be understood: it never holds, or it is left out.
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
        let value = view.value(of: KeyReference(matcher.key))
        let visits = MobileCost.visits(comparing: value, with: operands.count)
        guard visits <= comparisonRoom else {
            return Outcome(kind: "matcher", holds: false, detail: detail + " (given up)", value: value)
        }
        comparisonRoom -= visits
        return Outcome(
            kind: "matcher", holds: matcher.comparison.matches(value, operands[...]), detail: detail, value: value)
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
