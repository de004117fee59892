import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore

/// Prints the decisions of a log's line, made again, for people.
enum ReplayedDecisionPrinter {
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
