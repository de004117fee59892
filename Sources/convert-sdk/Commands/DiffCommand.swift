import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk diff`.
struct DiffCommand: Command {
    private static let visitors = OptionDeclaration(
        "--visitors", nil, .file, "count over these visitors too, as 'convert-sdk assign' reads them")
    private static let log = OptionDeclaration(
        "--log", nil, .file, "count over the lines of this decision log, each visitor once")
    private static let format = OptionDeclaration(
        "--format", nil, .choice(DiffFormat.self), isRepeatable: true,
        "the format of the visitors' file (jsonl, csv), and that of the output (text, markdown, json)")
    private static let failOn = OptionDeclaration(
        "--fail-on", nil,
        OptionDeclaration.Value(name: "WHAT,…", candidates: .names { DiffCondition.names }),
        "exit with 1 only if one of these holds: moved, moved>1%, entered, left, disturbed, renamed, features, "
            + "undecided, any (default), never")
    private static let sdkKey = OptionDeclaration(
        ConfigOption.sdkKey.name, ConfigOption.sdkKey.letter, .text("KEY"),
        "instead of OLD: compare NEW with the live config of this SDK key")
    private static let environment = OptionDeclaration(
        ConfigOption.environment.name, ConfigOption.environment.letter,
        OptionDeclaration.Value(name: "NAME", candidates: .config { $0.environmentNames }),
        "with --visitors, --log or --sdk-key only: the environment to fetch and to decide in (default: staging)")

    static let declaration = CommandDeclaration(
        name: "diff", summary: "list what a new project config changes, and for which visitors",
        discussion: """
            Compares two versions of a project config. Prints the exact share of visitors that move to another \
            variation, whether audiences and locations let in other visitors, with an example of each, and the \
            features that visitors get differently.
            """,
        operands: CommandDeclaration.Operands(
            name: "OLD", meaning: "two project configs, the old one and the new one", count: 1...2,
            spelling: "[OLD] NEW", candidates: .files),
        options: [
            sdkKey, ConfigOption.endpoint, environment, ConfigOption.semantics, visitors, log, format, failOn,
            CommonOption.json, CommonOption.html,
        ],
        remarks: """
            Exits with 0 if no visitor's answer changes, with 1 if one does or may. With --fail-on it exits with 1 \
            only if one of the conditions holds, and names the conditions that hold on standard error. moved>1%: more \
            than 1 % of an experience's visitors, new or with a stored decision, or of the counted visitors get \
            another variation or none, or newly get one; it also holds for moves of an unknown share (undealtMoves). \
            Visitors who enter or leave by their attributes count only with --visitors or --log. moved: any of these \
            visitors do. entered, left: visitors are newly let in or kept out. disturbed: a running experiment is \
            disturbed. renamed: an experience, variation, feature, segment or goal has another key, or the key of a \
            feature, segment or goal is gone. features: visitors get a feature differently, or other visitors get it. \
            undecided: something could not be proven.
            With --log each line is decided as its call was, by both configs; a visitor counts once for each change. \
            Where a line withholds what decides an experience that changes, the visitor counts separately (population \
            has unknowable beside moved). Lines that cannot be read are counted and left out.
            If an experience changes, the experiences whose audiences ask about it are listed too, with the effect of \
            a call for all experiences on new visitors and on visitors with stored decisions for other experiences.
            With --json it prints an object; 'convert-sdk schema diff' describes its members.
            """)

    private let old: ConfigOption
    private let new: ConfigOption
    private let semantics: RuleSemantics
    private let visitors: String?
    private let log: String?
    private let environment: String?
    private let input: PopulationFormat
    private let output: DiffFormat
    private let conditions: [(text: String, condition: DiffCondition)]
    /// Whether the caller set the conditions. Only then the output lists the conditions that hold.
    private let hasConditions: Bool
    private let page: String?

    init(_ arguments: Arguments) throws {
        let operands = arguments.operands
        old = try ConfigOption(arguments, file: operands.count > 1 ? operands.first : nil, for: "OLD")
        new = ConfigOption(file: operands[operands.count - 1], for: "NEW")
        semantics = try arguments.choice(ConfigOption.semantics, of: RuleSemantics.self) ?? .standard
        visitors = arguments[Self.visitors]
        log = arguments[Self.log]
        environment = arguments.environment
        if visitors != nil, log != nil {
            throw UsageError("\(Self.visitors.name) and \(Self.log.name) exclude each other; give one of them")
        }
        let formats = try arguments.all(Self.format).map {
            try Arguments.choice($0, for: Self.format.name, of: DiffFormat.self)
        }
        let inputs = formats.compactMap { PopulationFormat(rawValue: $0.rawValue) }
        var outputs = formats.filter { PopulationFormat(rawValue: $0.rawValue) == nil }
        if arguments.has(CommonOption.json), !outputs.contains(.json) { outputs.append(.json) }
        guard inputs.count < 2, outputs.count < 2 else {
            throw UsageError("\(Self.format.name): give one format of visitors and one to print in")
        }
        input = inputs.first ?? .jsonLines
        output = outputs.first ?? .text
        if visitors == nil, !inputs.isEmpty {
            throw UsageError("\(Self.format.name) \(input.rawValue) goes with \(Self.visitors.name)")
        }
        if environment != nil, visitors ?? log ?? arguments[ConfigOption.sdkKey] == nil {
            throw UsageError(
                "\(ConfigOption.environment.name) goes with \(Self.visitors.name), \(Self.log.name) or "
                    + "\(Self.sdkKey.name); without them the difference is that in all environments")
        }
        conditions =
            try arguments[Self.failOn].map { try DiffCondition.list($0, for: Self.failOn.name) } ?? [("any", .any)]
        hasConditions = arguments.has(Self.failOn)
        page = arguments[CommonOption.html]
    }

    func run() async throws -> ExitCode {
        let (old, new) = (try await old.read(), try await new.read())
        let difference = try compare(old.config, new.config)
        if let page {
            let provenance = PageProvenance(
                configs: [old.revision, new.revision], project: new.config.project, environment: "all",
                semantics: semantics)
            let html = difference.html(
                from: old.config, to: new.config, semantics: semantics, provenance: provenance)
            try OutputFile.write(html, to: page, for: CommonOption.html.name)
        }
        switch output {
        case .json: Console.print(json: difference.json)
        case .markdown: DifferencePrinter(difference).printMarkdown()
        case .text, .jsonLines, .csv: DifferencePrinter(difference).printText()
        }
        let held = conditions.filter { $0.condition.holds(for: difference) }.map(\.text)
        if hasConditions, !held.isEmpty {
            Console.complain("exits with 1, because of \(Self.failOn.name) \(held.joined(separator: ","))")
        }
        return held.isEmpty ? .done : .answerIsNo
    }

    private func compare(_ old: ProjectConfig, _ new: ProjectConfig) throws -> ConfigDifference {
        let diff = ConfigDiff(semantics: semantics)
        guard let path = visitors ?? log else { return diff.difference(from: old, to: new) }
        let isLog = visitors == nil
        let option = isLog ? Self.log : Self.visitors
        let source = try ByteInput(path, for: option.name)
        if !isLog || environment != nil { self.old.note(in: new) }
        let found = try source.naming {
            // Safe: `ByteInput` writes only within the buffer, and only during the call.
            try unsafe diff.difference(
                from: old, to: new,
                over: isLog
                    ? .log(environment: environment)
                    : .population(input, environment: self.old.decisionEnvironment),
                threads: ProcessInfo.processInfo.activeProcessorCount, read: { try unsafe source.read(into: $0) })
        }
        if found.unknowableCount > 0 {
            Console.complain("\(found.unknowableCount) lines without the visitor's id are not counted")
        }
        source.endBySignalIfAny()
        found.records.complainOfIgnoredStored()
        guard let error = found.records.firstErrors.first else { return found.difference }
        // A log may end in the middle of a line. An incomplete population is an error.
        if !isLog { throw UsageError("\(option.name): line \(error.record) is not a valid visitor: \(error.error)") }
        let count = "\(found.records.errorCount) of \(found.records.recordCount) lines could not be read as log lines"
        if found.records.errorCount == found.records.recordCount {
            throw UsageError("\(option.name): \(count); line \(error.record): \(error.error)")
        }
        Console.complain(count)
        [error].complain(as: "line")
        return found.difference
    }
}

/// The formats of visitors and of differences.
private enum DiffFormat: String, CaseIterable {
    case jsonLines = "jsonl"
    case csv, text, markdown, json
}
