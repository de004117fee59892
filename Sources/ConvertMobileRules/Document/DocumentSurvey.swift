internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Walks a document's rules and notes what was left out or can never hold.
struct DocumentSurvey {
    let semantics: MobileRulesSemantics
    private var found: [MobileRulesWarning] = []
    private var rule = 0
    /// Of the groups around the condition that is visited, the index of the member that leads to it.
    private var members: [Int] = []
    /// Of the consequence that is visited, its index in the document's list and the way to the value that is visited.
    private var consequence = 0
    private var steps: [Step] = []

    private enum Step {
        case member(PropertyKey)
        case element(Int)
    }

    init(semantics: MobileRulesSemantics) { self.semantics = semantics }

    /// Whether there are more warnings than are given.
    var isFull: Bool { found.count > MobileRulesLimits.warnings }

    /// What was found; if it is too much, the last one says so.
    var warnings: [MobileRulesWarning] {
        if !isFull { return found }
        return found.prefix(MobileRulesLimits.warnings - 1)
            + [MobileRulesWarning(at: "$", "there is more that is left out or never holds; only so much is listed.")]
    }

    mutating func visit(_ rule: MobileRule, at index: Int) {
        self.rule = index
        if !rule.condition.isSound { visit(rule.condition) }
        var dropped = rule.dropped[...]
        var kept = rule.consequences[...]
        for position in 0..<(dropped.count + kept.count) where !isFull {
            consequence = position
            // Those that were left out have kept their places in the document's list.
            if let first = dropped.first, first.index == position {
                dropped.removeFirst()
                warn(detailPath, "this consequence is left out: \(first.reason).")
            } else if let next = kept.popFirst() {
                steps = [.member("detail")]
                visit(.object(next.detail))
                steps = []
            }
        }
    }

    /// Looks for faulty tokens in a part of a consequence's detail.
    private mutating func visit(_ value: JSValue) {
        switch value {
        case .string(let text):
            guard text.utf8.contains(UInt8(ascii: "{")) else { return }
            for fault in TokenTemplate(text).faults { warn(detailPath, fault.message) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                steps.append(.element(index))
                visit(element)
                steps.removeLast()
            }
        case .object(let object):
            for member in object {
                steps.append(.member(member.key))
                visit(member.value)
                steps.removeLast()
            }
        case .null, .bool, .integer, .number: break
        }
    }

    /// Where the visited consequence, or the value within it, stands. Names are cut: the document decides on their length.
    private var detailPath: String {
        steps.reduce(into: "$.rules[\(rule)].consequences[\(consequence)]") { path, step in
            switch step {
            case .member(let key): path += ".\(key.name.prefix(40))"
            case .element(let index): path += "[\(index)]"
            }
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
        case .matcher(let matcher): if !matcher.isSound { visit(matcher) }
        case .historical(let historical):
            if let type = historical.unknownSearchType {
                warn(
                    "\(path).definition.searchType",
                    "'\(type.prefix(40))' is none of any, ordered and mostRecent; the events count as any.")
            }
            if !historical.comparison.comparesCounts {
                warn(
                    "\(path).definition.matcher",
                    "'\(historical.matcher)' compares no counts: this condition never holds.")
            }
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
        let needsAll = matcher.comparison.needsAllOperands
        if matcher.values.isEmpty {
            warn("\(path).definition", "'\(matcher.matcher)' needs values: this condition never holds.")
        }
        for (index, value) in matcher.values.enumerated() {
            let place = "\(path).definition.values[\(index)]"
            guard let operand = MobileOperand(value) else {
                warn(
                    place,
                    "nothing can be compared with null, an array or an object: "
                        + (needsAll && semantics == .standard
                            ? "this condition never holds." : "this value is left out."))
                continue
            }
            if matcher.comparison.compares(with: operand) { continue }
            warn(
                place,
                "'\(matcher.matcher)' does not compare with a value of this type: "
                    + (needsAll ? "this condition never holds." : "this value is never met."))
        }
    }

    private var outcome: String { semantics == .standard ? "never holds" : "is left out" }

    private mutating func warn(_ place: String, _ message: String) {
        if !isFull { found.append(MobileRulesWarning(at: place, message, ruleIndex: rule)) }
    }
}
