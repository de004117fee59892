internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Walks a document's rules and notes what was left out or can never hold.
struct DocumentSurvey {
    let semantics: MobileRulesSemantics
    private(set) var warnings: [MobileRulesWarning] = []
    private var rule = 0
    /// Of the groups around the condition that is visited, the index of the member that leads to it.
    private var members: [Int] = []

    init(semantics: MobileRulesSemantics) { self.semantics = semantics }

    var isFull: Bool { warnings.count >= MobileRulesLimits.warnings }

    mutating func visit(_ rule: MobileRule, at index: Int) {
        self.rule = index
        visit(rule.condition)
        for (position, reason) in rule.dropped {
            warn("$.rules[\(index)].consequences[\(position)]", "this consequence is left out: \(reason).")
        }
    }

    private mutating func visit(_ condition: Condition) {
        switch condition {
        case .group(let group):
            if case .unknown(let logic) = group.logic {
                warn("\(path).definition.logic", "'\(logic.prefix(40))' is neither and nor or; the group never holds.")
            }
            for (index, member) in group.conditions.enumerated() {
                members.append(index)
                visit(member)
                members.removeLast()
            }
        case .matcher(let matcher):
            // Nearly all: there is an operand of every value.
            if matcher.operands.count < matcher.values.count { visit(matcher) }
        case .historical:
            break
        case .unusable(let reason):
            warn(path, "\(reason): this condition \(outcome).")
        }
    }

    /// Where the visited condition stands; spelled only for those that are warned of.
    private var path: String {
        members.reduce(into: "$.rules[\(rule)].condition") { $0 += ".definition.conditions[\($1)]" }
    }

    private mutating func visit(_ matcher: Condition.Matcher) {
        guard matcher.comparison != .exists, matcher.comparison != .notExists else { return }
        for (index, value) in matcher.values.enumerated() where MobileOperand(value) == nil {
            let widens = matcher.comparison.needsAllOperands
            warn(
                "\(path).definition.values[\(index)]",
                "nothing can be compared with null, an array or an object: "
                    + (widens && semantics == .standard ? "this condition never holds." : "this value is left out."))
        }
    }

    private var outcome: String { semantics == .standard ? "never holds" : "is left out" }

    private mutating func warn(_ place: String, _ message: String) {
        if !isFull { warnings.append(MobileRulesWarning(at: place, message, ruleIndex: rule)) }
    }
}
