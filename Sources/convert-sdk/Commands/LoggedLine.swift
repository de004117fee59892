import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// A line of a decision log, passed as an argument.
struct LoggedLine {
    let line: LoggedDecisions

    /// Reads the line in `text`, or in the file whose path is `text`.
    init(_ text: String, for argument: String) throws(UsageError) {
        let data = try InputFile.readJSON(text, for: argument)
        let lines = data.split(separator: UInt8(ascii: "\n")).filter {
            !$0.allSatisfy { $0 == UInt8(ascii: " ") || $0 == 13 }
        }
        guard lines.count == 1, let only = lines.first else {
            throw UsageError("\(argument): expected one line of a decision log; found \(lines.count)")
        }
        do {
            line = try LoggedDecisions(line: Data(only))
        } catch {
            throw UsageError("\(argument) is no line of a decision log: \(error)")
        }
    }

    /// Prints decisions as a table, followed by their explanations.
    static func print(_ decisions: [ReplayedDecision]) {
        let featureCount = decisions.count { if case .feature = $0.subject { true } else { false } }
        let areFeatures = featureCount > 0
        let head = areFeatures ? featureCount < decisions.count ? "EXPERIENCE OR FEATURE" : "FEATURE" : "EXPERIENCE"
        Console.printTable(
            [[head, areFeatures ? "NOW" : "VARIATION", "BUCKET", "WHY", "LOGGED"]]
                + decisions.map { decision in
                    [
                        decision.name, text(of: decision.found),
                        decision.decision?.variation?.bucketingAllocation.map { "\($0)" } ?? "-",
                        decision.found == nil ? "needs the visitor's id" : decision.reason, logged(of: decision),
                    ]
                })
        for decision in decisions where !decision.explanationLines.isEmpty {
            Console.print()
            for line in decision.explanationLines { Console.print(line.styled) }
        }
    }

    /// The logged answer of a decision, and whether the answer now differs.
    private static func logged(of decision: ReplayedDecision) -> String {
        guard decision.isCompared else { return "" }
        let logged = text(of: decision.logged)
        if decision.isKnownToDiffer { return logged + " (differs)" }
        if decision.found == nil || decision.unknowable.isEmpty { return logged }
        return logged + " (may come from \(decision.unknowable.joined(separator: ", ")))"
    }

    /// A logged answer as text for people.
    static func text(of value: JSValue?) -> String {
        value.flatMap(ReplayRoute.text(of:)) ?? "-"
    }
}
