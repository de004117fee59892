import ConvertECMAScript
import ConvertParityVectors
import ConvertSwiftSDKCore

/// Prints an explanation as an indented tree.
struct ExplanationPrinter {
    func print(_ explanation: Explanation) {
        let outcome = explanation.variation ?? explanation.reason ?? "nothing"
        line(0, "\(explanation.experienceKey) for \(explanation.visitorID): \(outcome)")
        for gate in explanation.gates {
            line(1, "\(mark(gate.passed)) \(gate.kind.rawValue): \(gate.detail)")
            for rules in gate.rules { print(rules) }
        }
        guard let bucketing = explanation.bucketing else { return }
        line(
            1,
            "murmur3(\"\(bucketing.hashInput)\", seed \(bucketing.seed)) gives bucket value \(bucketing.value) of "
                + "\(ECMAScript.toString(bucketing.maxTraffic)), \(bucketing.layout.rawValue) layout:")
        for range in bucketing.ranges {
            let isHit = Double(bucketing.value) >= range.start && Double(bucketing.value) < range.end
            line(
                2,
                "\(mark(isHit)) [\(ECMAScript.toString(range.start)), \(ECMAScript.toString(range.end))) "
                    + "variation \(range.variationID)")
        }
    }

    private func print(_ rules: Explanation.RuleSet) {
        line(2, "\(mark(rules.verdict)) \(rules.subject)")
        for (index, group) in rules.groups.enumerated() {
            line(3, "\(mark(group.verdict)) group \(index + 1)")
            for (index, clause) in group.clauses.enumerated() {
                line(4, "\(mark(clause.verdict)) clause \(index + 1)")
                for condition in clause.conditions { print(condition) }
            }
        }
    }

    private func print(_ condition: Explanation.Condition) {
        let key = condition.key ?? "(no key)"
        let attribute = condition.attribute.map(ECMAScript.jsonText) ?? "absent"
        let operation = (condition.negation ? "not " : "") + condition.matchType
        let value = condition.value.map { " " + ECMAScript.jsonText(of: $0) } ?? ""
        line(5, "\(mark(condition.verdict)) \(key) (\(attribute)) \(operation)\(value)")
    }

    private func mark(_ passed: Bool) -> String { passed ? "+" : "-" }

    private func mark(_ verdict: Explanation.Verdict) -> String {
        switch verdict {
        case .matched: "+"
        case .notMatched: "-"
        default: "! \(verdict.rawValue)"
        }
    }

    private func line(_ depth: Int, _ text: String) {
        Swift.print(String(repeating: "  ", count: depth) + text.onOneLine)
    }
}
