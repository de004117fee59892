import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// `convert-sdk lint`.
struct LintCommand: Command {
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
        options: ConfigOption.fetching + [
            ConfigOption.semantics, failOn, ignore, baseline, CommonOption.json, CommonOption.html,
        ],
        remarks: """
            Exits with 1 if a finding is at least as severe as --fail-on says (by default an error), otherwise with 0. \
            Error: visitors get a result that cannot be intended. Warning: a part has no effect, or another effect \
            than it says. Suspicious: a part has the effect that it says, but that is seldom intended. Note: \
            information only. Consequences stand under their cause. A witness is a visitor as 'convert-sdk assign' \
            reads one.
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
        try config.refuseEnvironment(ofFileIn: arguments, because: "a file is checked for all environments")
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
                throw UsageError("\(Self.baseline.name): '\(path)' is not a report; write it with 'lint --json'")
            }
        }
        self.exceptions = exceptions
        printsJSON = arguments.has(CommonOption.json)
        page = arguments[CommonOption.html]
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
            try OutputFile.write(report.html, to: page, for: CommonOption.html.name)
        }
        if printsJSON {
            Console.print(json: findings.json)
        } else {
            LintPrinter.print(findings)
        }
        if ignoredCount > 0 {
            let verb = ignoredCount == 1 ? " is" : "s are"
            Console.complain("\(ignoredCount) finding\(verb) left out, as --ignore or --baseline says")
        }
        return findings.contains { level.includes($0.severity) } ? .answerIsNo : .done
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
