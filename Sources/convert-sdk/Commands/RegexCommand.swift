import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk regex`.
struct RegexCommand: Command {
    private static let flags = OptionDeclaration(
        "--flags", "f", .text("F"),
        "any of g, i, m, s, y and d, and u or v; targeting rules use i, on a value in lower case")

    static let declaration = CommandDeclaration(
        name: "regex", summary: "try a regular expression as JavaScript would",
        discussion: """
            Tells whether PATTERN is a regular expression of JavaScript, how it is matched and why so, and what it \
            matches in each INPUT, with the captures. '-' reads inputs from standard input, one a line; put '--' \
            before a pattern or an input that begins with '-'.
            """,
        operands: CommandDeclaration.Operands(
            name: "PATTERN", meaning: "the regular expression, without slashes", count: 1...Int.max,
            others: "INPUT"),
        options: [flags],
        remarks: """
            Positions are UTF-16 code units. Exits with 1 if the pattern is invalid, or does not match every input.
            """)

    private let pattern: String
    private let flags: String
    private let inputs: [String]

    init(_ arguments: Arguments) {
        pattern = arguments.operands.first ?? ""
        flags = arguments[Self.flags] ?? ""
        inputs = Array(arguments.operands.dropFirst())
    }

    func run() throws -> ExitCode {
        let expression: RegExp
        do {
            expression = try RegExp(pattern, flags: flags)
        } catch {
            Console.print("invalid: \("\(error)")")
            return .answerIsNo
        }
        Console.print("valid: /\(expression.source)/\(expression.flags)")
        Console.print("executor: \("\(expression.plan)")")
        var allMatch = true
        for input in inputs where input != "-" { allMatch = report(input, expression) && allMatch }
        if inputs.contains("-") {
            try forEachLine { allMatch = report($0, expression) && allMatch }
        }
        return allMatch ? .done : .answerIsNo
    }

    /// Reads standard input line by line as it arrives.
    private func forEachLine(_ body: (String) -> Void) throws {
        let input = try ByteInput("-", for: "TEXT")
        var reader = unsafe RecordReader(.jsonLines) { try unsafe input.read(into: $0) }
        var number = 0
        while let part = try reader.next() {
            try part.forEach(.jsonLines) { line throws(UsageError) in
                number += 1
                guard let line else {
                    throw UsageError(
                        "line \(number) of standard input is longer than \(PopulationFormat.recordLimit) bytes")
                }
                guard let text = String(validating: line, as: UTF8.self) else {
                    throw UsageError("line \(number) of standard input is not UTF-8")
                }
                body(text)
            }
        }
        input.endBySignalIfAny()
    }

    /// Prints the matches of the pattern in `input`. Returns whether it matches.
    private func report(_ input: String, _ expression: RegExp) -> Bool {
        Console.print("\"\(input)\"")
        do {
            guard let match = try expression.exec(input) else {
                Console.print("  no match")
                return false
            }
            for group in 0...match.groupCount {
                let range = match.range(of: group).map { "[\($0.lowerBound), \($0.upperBound))" } ?? "took no part"
                let text = match[group].map { " \"\($0)\"" } ?? ""
                Console.print("  \(group == 0 ? "match" : "group \(group)") \(range)\(text)")
            }
            for name in match.groupNames {
                Console.print("  <\(name)> \(match[name].map { "\"\($0)\"" } ?? "took no part")")
            }
            return true
        } catch {
            // If the automaton can answer the test, only the captures need backtracking.
            guard expression.plan.executor == .automaton, let matches = try? expression.test(input) else {
                Console.print("  given up: \("\(error)")")
                return false
            }
            Console.print(matches ? "  match; the search for its position was given up: \("\(error)")" : "  no match")
            return matches
        }
    }
}
