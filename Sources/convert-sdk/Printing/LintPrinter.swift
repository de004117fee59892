import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore

/// Prints findings for people.
enum LintPrinter {
    /// The maximum number of printed findings of one kind.
    private static let mostOfAKind = 20

    /// Prints findings, each cause with its consequences below it, and how many there are.
    static func print(_ findings: [LintFinding]) {
        var hidden: [LintCode: Int] = [:]
        var causes: [LintCode: Int] = [:]
        var consequences: [LintCode: Int] = [:]
        // The cause whose consequences come next, and whether it was printed.
        var cause: LintFinding?
        var isPrinted = false
        for finding in findings {
            let isConsequence = finding.because.map { $0.code == cause?.code && $0.path == cause?.path } ?? false
            if isConsequence {
                consequences[finding.code, default: 0] += 1
                guard isPrinted, consequences[finding.code, default: 0] <= Self.mostOfAKind else {
                    hidden[finding.code, default: 0] += 1
                    continue
                }
                printConsequence(finding)
                continue
            }
            causes[finding.code, default: 0] += 1
            isPrinted = causes[finding.code, default: 0] <= Self.mostOfAKind
            cause = finding
            if isPrinted { printCause(finding) } else { hidden[finding.code, default: 0] += 1 }
        }
        for code in LintCode.allCases {
            guard let count = hidden[code] else { continue }
            Console.print("… \(count) more [\(code.rawValue)]; --json lists up to 1,000 causes")
        }
        Console.print("\(findings.counts ?? "nothing found")")
    }

    private static func head(of finding: LintFinding) -> ConsoleText {
        let style: TextStyle =
            switch finding.severity {
            case .error: .bad
            case .warning, .suspicious: .doubtful
            case .note: .bold
            }
        return "\(finding.severity.rawValue.styled(style)) \(finding.path) [\(finding.code.rawValue)]"
    }

    /// The message with the entity's name in front: a path has indices, and the name is what people know.
    private static func message(of finding: LintFinding) -> String {
        (finding.entity.flatMap { finding.message.contains($0) ? nil : "In \($0): " } ?? "") + finding.message
    }

    private static func printConsequence(_ finding: LintFinding) {
        Console.print("    follows: \(head(of: finding))")
        Console.print("        \(message(of: finding))")
    }

    private static func printCause(_ finding: LintFinding) {
        Console.print(head(of: finding))
        Console.print("    \(message(of: finding))")
        Console.print("    \(finding.remedy)")
        if let because = finding.because {
            Console.print("    follows from \(because.code.rawValue) at \(because.path)")
        }
        if let witness = finding.witness { Console.print("    visitor: \(witness.json.visibleJSON)") }
        if let contrast = finding.contrast { Console.print("    unlike: \(contrast.json.visibleJSON)") }
    }
}
