import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore

/// `convert-sdk lint`.
struct LintCommand: Command {
    private static let json = OptionDeclaration("--json", "j", "print JSON, for programs")
    private static let html = OptionDeclaration(
        "--html", nil, .file, "also write the report as one HTML page, which needs nothing else")

    static let declaration = CommandDeclaration(
        name: "lint", summary: "find what is wrong with a project config",
        discussion: """
            Finds references to nothing, rules that can never hold, experiences that nobody can enter, and more. What is \
            said of visitors is proven: of all values that an attribute can have, or by a visitor as a witness.
            """,
        operands: CommandDeclaration.Operands(
            name: "FILE", meaning: "the project config, JSON as the CDN serves it", count: 0...1, candidates: .files),
        options: ConfigOption.fetching + [ConfigOption.semantics, json, html],
        remarks: """
            Exits with 0 if nothing was found, with 1 if something was. A witness is a visitor as 'convert-sdk assign' \
            reads one. With --json it prints an object with the member findings, a list of objects with code, severity \
            (error, warning or note), path, message, remedy, witness (a visitor or null) and undecided.
            """)

    private let config: ConfigOption
    private let semantics: RuleSemantics
    private let printsJSON: Bool
    private let page: String?

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments, file: arguments.operands.first, for: "FILE")
        semantics = try arguments.choice(ConfigOption.semantics, of: RuleSemantics.self) ?? .standard
        printsJSON = arguments.has(Self.json)
        page = arguments[Self.html]
    }

    func run() async throws -> ExitCode {
        let (json, config) = try await config.read()
        let findings = try ConfigLint(semantics: semantics).findings(in: json)
        if let page { try OutputFile.write(LintReport(findings, in: config).html, to: page, for: Self.html.name) }
        if printsJSON {
            Console.print(json: findings.json)
        } else {
            printForPeople(findings)
        }
        return findings.isEmpty ? .done : .answerIsNo
    }

    private func printForPeople(_ findings: [LintFinding]) {
        for finding in findings {
            let style: TextStyle =
                switch finding.severity {
                case .error: .bad
                case .warning: .doubtful
                case .note: .bold
                }
            Console.print("\(finding.severity.rawValue.styled(style)) \(finding.path) [\(finding.code.rawValue)]")
            Console.print("    \(finding.message)")
            Console.print("    \(finding.remedy)")
            if let witness = finding.witness { Console.print("    visitor: \(witness.json.visibleJSON)") }
        }
        let counts = LintFinding.Severity.allCases.map { severity in
            (severity, findings.count { $0.severity == severity })
        }
        let parts = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)\($0.1 == 1 ? "" : "s")" }
        Console.print(parts.isEmpty ? "nothing found" : "\(parts.joined(separator: ", "))")
    }
}
