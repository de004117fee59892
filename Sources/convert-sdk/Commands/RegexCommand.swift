import ConvertECMAScript
import ConvertParityVectors

/// `convert-sdk regex`.
struct RegexCommand {
    private let pattern: String
    private let flags: String
    private let inputs: [String]

    init(_ arguments: [String]) throws {
        let arguments = try Arguments(arguments, valued: ["--flags"], flags: [], command: "regex")
        guard let pattern = arguments.operands.first else {
            throw UsageError("no pattern given; see 'convert-sdk help regex'")
        }
        self.pattern = pattern
        flags = try arguments.single("--flags") ?? ""
        inputs = Array(arguments.operands.dropFirst())
    }

    func run() throws -> ExitCode {
        let expression: RegExp
        do {
            expression = try RegExp(pattern, flags: flags)
        } catch {
            print("invalid: \(error)")
            return .answerIsNo
        }
        print("valid: /\(expression.source)/\(expression.flags)")
        print("executor: \(expression.plan)")
        var allMatch = true
        for input in inputs where input != "-" { allMatch = report(input, expression) && allMatch }
        if inputs.contains("-") {
            while let line = readLine() { allMatch = report(line, expression) && allMatch }
        }
        return allMatch ? .done : .answerIsNo
    }

    /// Prints what the pattern matches in `input`, and says whether it matches.
    private func report(_ input: String, _ expression: RegExp) -> Bool {
        print("\"\(input.onOneLine)\"")
        do {
            guard let match = try expression.exec(input) else {
                print("  no match")
                return false
            }
            for group in 0...match.groupCount {
                let range = match.range(of: group).map { "[\($0.lowerBound), \($0.upperBound))" } ?? "took no part"
                let text = match[group].map { " \"\($0.onOneLine)\"" } ?? ""
                print("  \(group == 0 ? "match" : "group \(group)") \(range)\(text)")
            }
            for name in match.groupNames {
                print("  <\(name)> \(match[name].map { "\"\($0.onOneLine)\"" } ?? "took no part")")
            }
            return true
        } catch {
            // Only the captures need backtracking where the automaton answers the test.
            guard expression.plan.executor == .automaton, let matches = try? expression.test(input) else {
                print("  given up: \(error)")
                return false
            }
            print(matches ? "  match, but where was given up: \(error)" : "  no match")
            return matches
        }
    }
}
