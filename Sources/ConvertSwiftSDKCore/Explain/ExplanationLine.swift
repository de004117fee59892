package import ConvertECMAScript

/// One line of an explanation that is printed as a tree.
package struct ExplanationLine: Sendable, Equatable, CustomStringConvertible {
    /// The sign before the text.
    package enum Mark: String, Sendable {
        case holds = "+"
        case fails = "-"
        case isOdd = "!"

        /// The mark for a part that holds or does not hold.
        package init(_ holds: Bool) { self = holds ? .holds : .fails }
    }

    package let depth: Int
    package let mark: Mark?
    /// The text, without line breaks.
    package let text: String

    package init(_ depth: Int, _ mark: Mark?, _ text: String) {
        self.depth = depth
        self.mark = mark
        self.text = text.onOneLine
    }

    /// Creates a line about a rule set, or a group, clause or condition.
    init(_ depth: Int, _ verdict: Explanation.Verdict, _ text: String) {
        switch verdict {
        case .matched: self.init(depth, .holds, text)
        case .notMatched: self.init(depth, .fails, text)
        default: self.init(depth, .isOdd, "\(verdict.rawValue) \(text)")
        }
    }

    func indented(by depth: Int) -> ExplanationLine { ExplanationLine(self.depth + depth, mark, text) }

    /// The line without colours.
    package var description: String {
        String(repeating: "  ", count: depth) + (mark.map { $0.rawValue + " " } ?? "") + text
    }
}

/// An explanation that can be printed as a tree.
package protocol ExplanationTree {
    var lines: [ExplanationLine] { get }
}

extension ExplanationTree {
    var tree: String { lines.map(\.description).joined(separator: "\n") }
}

extension Explanation: CustomStringConvertible, ExplanationTree {
    /// The explanation as a tree of lines, as `convert-sdk decide --explain` prints it.
    public var description: String { tree }

    package var lines: [ExplanationLine] {
        let outcome = variation ?? reason?.rawValue ?? "nothing"
        var lines = [ExplanationLine(0, nil as ExplanationLine.Mark?, "\(experienceKey) for \(visitorID): \(outcome)")]
        for gate in gates {
            lines.append(ExplanationLine(1, .init(gate.passed), "\(gate.kind.rawValue): \(gate.detail)"))
            lines += gate.rules.flatMap { $0.lines.map { $0.indented(by: 2) } }
        }
        if let bucketing { lines += bucketing.lines }
        return lines
    }
}

extension Explanation.Bucketing {
    fileprivate var lines: [ExplanationLine] {
        [
            ExplanationLine(
                1, nil as ExplanationLine.Mark?,
                "murmur3(\"\(hashInput)\", seed \(seed)) gives bucket value \(value) of "
                    + "\(ECMAScript.toString(maxTraffic)), \(layout.rawValue) layout:")
        ]
            + ranges.map { range in
                let isHit = Double(value) >= range.start && Double(value) < range.end
                return ExplanationLine(
                    2, .init(isHit),
                    "[\(ECMAScript.toString(range.start)), \(ECMAScript.toString(range.end))) "
                        + "variation \(range.variationKey.map { "\($0) (\(range.variationID))" } ?? range.variationID)")
            }
    }
}

extension Explanation.RuleSet {
    var lines: [ExplanationLine] {
        var lines = [ExplanationLine(0, verdict, subject)]
        for (index, group) in groups.enumerated() {
            lines.append(ExplanationLine(1, group.verdict, "group \(index + 1)"))
            for (index, clause) in group.clauses.enumerated() {
                lines.append(ExplanationLine(2, clause.verdict, "clause \(index + 1)"))
                lines += clause.conditions.map { ExplanationLine(3, $0.verdict, $0.line) }
            }
        }
        return lines
    }
}

extension Explanation.Condition {
    fileprivate var line: String {
        let attribute = attribute?.shown ?? "absent"
        let operation = (negation ? "not " : "") + matchType
        let value = value.map { " " + $0.shown } ?? ""
        return "\(key ?? "(no key)") (\(attribute)) \(operation)\(value)"
    }
}

extension JSValue {
    /// The value as explanations print it: as JSON, except that `NaN` and infinities are printed by name instead of as
    /// `null`.
    package var shown: String {
        if case .number(let number) = self, !number.isFinite { return ECMAScript.toString(number) }
        return ECMAScript.jsonText(of: self)
    }
}
