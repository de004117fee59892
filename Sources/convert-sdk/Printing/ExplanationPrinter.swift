import ConvertECMAScript
import ConvertSwiftSDKCore

/// Prints an explanation as an indented tree.
struct ExplanationPrinter {
    func print(_ explanation: Explanation) {
        let outcome = explanation.variation ?? explanation.reason ?? "nothing"
        line(0, nil, "\(explanation.experienceKey) for \(explanation.visitorID): \(outcome)")
        for gate in explanation.gates {
            line(1, Mark(gate.passed), "\(gate.kind.rawValue): \(gate.detail)")
            for rules in gate.rules { print(rules) }
        }
        guard let bucketing = explanation.bucketing else { return }
        line(
            1, nil,
            "murmur3(\"\(bucketing.hashInput)\", seed \(bucketing.seed)) gives bucket value \(bucketing.value) of "
                + "\(ECMAScript.toString(bucketing.maxTraffic)), \(bucketing.layout.rawValue) layout:")
        for range in bucketing.ranges {
            let isHit = Double(bucketing.value) >= range.start && Double(bucketing.value) < range.end
            line(
                2, Mark(isHit),
                "[\(ECMAScript.toString(range.start)), \(ECMAScript.toString(range.end))) "
                    + "variation \(range.variationID)")
        }
    }

    private func print(_ rules: Explanation.RuleSet) {
        line(2, rules.verdict, rules.subject)
        for (index, group) in rules.groups.enumerated() {
            line(3, group.verdict, "group \(index + 1)")
            for (index, clause) in group.clauses.enumerated() {
                line(4, clause.verdict, "clause \(index + 1)")
                for condition in clause.conditions { print(condition) }
            }
        }
    }

    private func print(_ condition: Explanation.Condition) {
        let key = condition.key ?? "(no key)"
        let attribute = condition.attribute.map(ECMAScript.jsonText) ?? "absent"
        let operation = (condition.negation ? "not " : "") + condition.matchType
        let value = condition.value.map { " " + ECMAScript.jsonText(of: $0) } ?? ""
        line(5, condition.verdict, "\(key) (\(attribute)) \(operation)\(value)")
    }

    private func line(_ depth: Int, _ verdict: Explanation.Verdict, _ text: String) {
        switch verdict {
        case .matched: line(depth, .holds, text)
        case .notMatched: line(depth, .fails, text)
        default: line(depth, .isOdd, "\(verdict.rawValue) \(text)")
        }
    }

    private func line(_ depth: Int, _ mark: Mark?, _ text: String) {
        let mark = mark.map { $0.text + " " } ?? ""
        Console.print(String(repeating: "  ", count: depth) + mark + text.onOneLine)
    }
}
