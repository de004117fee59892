import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// `convert-sdk lint`.
struct LintCommand: Command {
    /// The maximum number of findings of one kind that are printed for people.
    private static let mostOfAKind = 20

    private static let json = OptionDeclaration("--json", "j", "print JSON, for programs")
    private static let html = OptionDeclaration(
        "--html", nil, .file, "also write the report as one HTML page, which needs nothing else")

    private static let failOn = OptionDeclaration(
        "--fail-on", nil, .choice(LintLevel.self, default: .error), "exit with 1 if a finding is at least as severe"
    )
    private static let ignore = OptionDeclaration(
        "--ignore", nil,
        OptionDeclaration.Value(
            name: "KIND[@PLACE]", candidates: .names { LintCode.allCases.map(\.rawValue) }),
        isRepeatable: true,
        "leave out findings of this kind, everywhere or at a path and what is under it: "
            + "similar-names@$.audiences['fans']"
    )
    private static let baseline = OptionDeclaration(
        "--baseline", nil, .file, "leave out what this file has, which 'lint --json' printed before")

    static let declaration = CommandDeclaration(
        name: "lint", summary: "find what is wrong with a project config",
        discussion: """
            Finds references to nothing, rules that can never hold, experiences that no visitor can enter, values that \
            do not mean what they seem to mean, and more. What it says about visitors is proven: for all values that \
            an attribute can have, or by a visitor as a witness.
            """,
        operands: CommandDeclaration.Operands(
            name: "FILE", meaning: "the project config, JSON as the CDN serves it", count: 0...1, candidates: .files),
        options: ConfigOption.fetching + [ConfigOption.semantics, failOn, ignore, baseline, json, html],
        remarks: """
            Exits with 1 if a finding is at least as severe as --fail-on says (by default an error), otherwise with 0. \
            An error gives visitors what the config cannot mean. A warning is a part that does nothing, or not what it \
            says. A suspicious part does what it says, which is seldom meant. A note is for your information. \
            Consequences stand under their cause. A witness is a visitor as 'convert-sdk assign' reads one.
            With --sdk-key, --environment names the environment to fetch; a file is checked for all of them.
            A baseline recognizes findings by kind and by place, in which entities have keys and not indices: \
            'lint --json FILE > known.json' once, then 'lint --baseline known.json FILE' fails on new ones only.
            With --json it prints an object with the member findings, a list of objects with code, severity, path, \
            place, entity, message, remedy, witness and contrast (visitors or null), because (the code and the path of \
            the cause, or null) and undecided.
            """)

    private let config: ConfigOption
    private let semantics: RuleSemantics
    private let level: LintLevel
    private let exceptions: LintExceptions
    private let printsJSON: Bool
    private let page: String?

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments, file: arguments.operands.first, for: "FILE")
        if arguments.operands.first != nil, arguments[ConfigOption.environment] != nil {
            throw UsageError(
                "\(ConfigOption.environment.name) goes with \(ConfigOption.sdkKey.name); a file is checked for all "
                    + "environments")
        }
        semantics = try arguments.choice(ConfigOption.semantics, of: RuleSemantics.self) ?? .standard
        level = try arguments.choice(Self.failOn, of: LintLevel.self) ?? .error
        var exceptions = LintExceptions()
        for text in arguments.all(Self.ignore) {
            let end = text.firstIndex(of: "@") ?? text.endIndex
            let code = try Arguments.choice(String(text[..<end]), for: Self.ignore.name, of: LintCode.self)
            exceptions.ignore(code, at: end < text.endIndex ? String(text[text.index(after: end)...]) : nil)
        }
        if let path = arguments[Self.baseline] {
            let report = try InputFile.readValue(path, for: Self.baseline.name)
            guard exceptions.ignoreAll(in: report) else {
                throw UsageError("\(Self.baseline.name): '\(path)' is no report; write it with 'lint --json'")
            }
        }
        self.exceptions = exceptions
        printsJSON = arguments.has(Self.json)
        page = arguments[Self.html]
    }

    func run() async throws -> ExitCode {
        let file = try await config.read(withDocument: true)
        let document = try file.document ?? ProjectConfig.Document(json: file.json)
        let (findings, ignoredCount) = ConfigLint(semantics: semantics, exceptions: exceptions)
            .findingsAndIgnoredCount(in: document)
        if let page {
            var report = LintReport(findings, in: file.config, semantics: semantics)
            report.provenance = PageProvenance(
                configs: [file.revision], project: file.config.project, environment: "all", semantics: semantics)
            try OutputFile.write(report.html, to: page, for: Self.html.name)
        }
        if printsJSON {
            Console.print(json: findings.json)
        } else {
            printForPeople(findings)
        }
        if ignoredCount > 0 {
            let verb = ignoredCount == 1 ? " is" : "s are"
            Console.complain("\(ignoredCount) finding\(verb) left out, as --ignore or --baseline says")
        }
        return findings.contains { level.includes($0.severity) } ? .answerIsNo : .done
    }

    private func printForPeople(_ findings: [LintFinding]) {
        var hidden: [LintCode: Int] = [:]
        var causes: [LintCode: Int] = [:]
        var consequences: [LintCode: Int] = [:]
        // The cause of the next consequences, and whether it was printed.
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
        let severities = LintFinding.Severity.allCases.map { severity in
            (severity, findings.count { $0.severity == severity })
        }
        let parts = severities.filter { $0.1 > 0 }.map { severity, count in
            "\(count) \(severity.rawValue)\(count == 1 || severity == .suspicious ? "" : "s")"
        }
        Console.print(parts.isEmpty ? "nothing found" : "\(parts.joined(separator: ", "))")
    }

    private func head(of finding: LintFinding) -> ConsoleText {
        let style: TextStyle =
            switch finding.severity {
            case .error: .bad
            case .warning, .suspicious: .doubtful
            case .note: .bold
            }
        return "\(finding.severity.rawValue.styled(style)) \(finding.path) [\(finding.code.rawValue)]"
    }

    /// The message, preceded by the entity's name, because people know names better than indices in a path.
    private func message(of finding: LintFinding) -> String {
        (finding.entity.flatMap { finding.message.contains($0) ? nil : "In \($0): " } ?? "") + finding.message
    }

    private func printConsequence(_ finding: LintFinding) {
        Console.print("    follows: \(head(of: finding))")
        Console.print("        \(message(of: finding))")
    }

    private func printCause(_ finding: LintFinding) {
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

/// The lowest severity at which a lint fails.
private enum LintLevel: String, CaseIterable {
    case error, warning, suspicious, note
    /// The lint never fails.
    case never

    /// Whether a finding with `severity` makes the lint fail.
    func includes(_ severity: LintFinding.Severity) -> Bool {
        LintFinding.Severity(rawValue: rawValue).map { severity <= $0 } ?? false
    }
}
