import ConvertECMAScript
import ConvertMobileRules
import ConvertSwiftSDKCore
import Foundation

/// Prints the results of conditions as an indented tree, shortened for people.
struct RulesExplanationPrinter {
    /// The maximum number of code points in a line, and in a value within it.
    static let lineLength = 1_000
    static let valueLength = 200
    /// The maximum number of lines in an explanation.
    static let lineLimit = 5_000

    private var lines = 0

    mutating func print(_ explanation: RulesExplanation) {
        for rule in explanation.rules {
            let ids = rule.consequences.joined(separator: ", ")
            line(0, ExplanationLine.Mark(rule.matches), "rule \(rule.index): \(ids)")
            print(rule.condition, depth: 1)
        }
        if lines > Self.lineLimit {
            Console.print("… \(lines - Self.lineLimit) more lines; --json has them all.")
        }
    }

    private mutating func print(_ condition: RulesExplanation.Condition, depth: Int) {
        let mark = condition.holds.map { ExplanationLine.Mark($0) } ?? .isOdd
        let value = condition.kind == "matcher" ? " (\(condition.value.map { Self.text(of: $0) } ?? "missing"))" : ""
        let count = condition.count.map { " (\($0))" } ?? ""
        let detail = condition.detail.cut(to: Self.lineLength - Self.valueLength)
        line(depth, mark, "\(condition.kind) \(detail)\(value)\(count)")
        for member in condition.conditions { print(member, depth: depth + 1) }
    }

    private mutating func line(_ depth: Int, _ mark: ExplanationLine.Mark, _ text: String) {
        lines += 1
        if lines > Self.lineLimit { return }
        Console.print(ExplanationLine(depth, mark, text.cut(to: Self.lineLength)).styled)
    }

    /// The text of a value in a condition, which is never an array or object.
    private static func text(of value: JSValue) -> String {
        let value = value.stringValue.map { .string($0.cut(to: valueLength)) } ?? value
        return value.shown
    }
}

extension String {
    /// The first `count` code points, followed by an ellipsis if there are more.
    fileprivate func cut(to count: Int) -> String {
        // Counts code points, because a character may be of any length.
        guard utf8.count > count, let end = unicodeScalars.index(startIndex, offsetBy: count, limitedBy: endIndex),
            end < endIndex
        else { return self }
        return self[..<end] + "…"
    }
}
