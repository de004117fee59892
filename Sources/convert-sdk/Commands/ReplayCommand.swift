import ConvertAnalysis
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk replay`.
struct ReplayCommand: Command {
    private static let configs = OptionDeclaration(
        ConfigOption.file.name, ConfigOption.file.letter, .file, isRepeatable: true, isRequired: true,
        "a project config, JSON as the CDN serves it; of several each line is decided with the one whose digest it names"
    )
    private static let semantics = OptionDeclaration(
        ConfigOption.semantics.name, ConfigOption.semantics.letter, .choice(RuleSemantics.self),
        "answer open questions of rule evaluation so, whatever the log says")
    private static let environment = OptionDeclaration(
        ConfigOption.environment.name, ConfigOption.environment.letter, .text("NAME"),
        "decide in this environment, whatever the log says (default: the log's, or else staging)")
    private static let threads = OptionDeclaration(
        "--threads", "t", .text("N"), "how many threads work (default: as many as there are processors)")

    static let declaration = CommandDeclaration(
        name: "replay", summary: "decide a log again and tell what comes out otherwise",
        discussion: """
            Reads a log as an SDK's decision log or 'assign --echo' writes it, a visitor with decisions in each line, decides \
            each again, and prints a line for each decision that comes out otherwise: {"visitorId":…,"experience":…,\
            "logged":…,"found":…,"reason":…}, with "feature" where it is about one. With the configs of then it tells \
            whether decisions can be explained; with one other config or other semantics what a release would change.
            """,
        operands: CommandDeclaration.Operands(
            name: "LOG", meaning: "the log; - is standard input", count: 1...1, candidates: .files),
        options: [configs, environment, semantics, threads],
        remarks: """
            Where one call asked for all experiences, as a line of 'assign --echo' or of selectVariations does, they are \
            decided in the order of the config that is given, so that it shows what another order of exclusions changes. \
            Experiences that were asked for by name are decided in the order of the line.
            Exits with 1 if a decision comes out otherwise, or if a line is none of a log or names a config that is not \
            given. A line may withhold properties, which the differences then name, or the visitor's id.
            """)

    private let configs: [String]
    private let options: DecisionReplay.Options
    private let log: String
    private let threads: Int

    init(_ arguments: Arguments) throws {
        _ = try arguments.required(Self.configs)
        configs = arguments.all(Self.configs)
        var options = DecisionReplay.Options()
        options.environment = arguments[Self.environment].flatMap { $0.isEmpty ? nil : $0 }
        options.semantics = try arguments.choice(Self.semantics, of: RuleSemantics.self)
        self.options = options
        log = arguments.operands[0]
        threads = try arguments.count(Self.threads, in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
    }

    func run() async throws -> ExitCode {
        let candidates = try configs.map { try Self.candidate($0) }
        if let environment = options.environment {
            for candidate in candidates { ConfigOption.note(environment, isGiven: true, in: candidate.config) }
        }
        let replay = DecisionReplay(candidates, options: options)
        let source = try ByteInput(log, for: "LOG")
        let tally = try self.replay(source, by: replay)
        for error in tally.lines.firstErrors { Console.complain("line \(error.record): \(error.error)") }
        if tally.lines.errorCount > 0 {
            Console.complain("\(tally.lines.errorCount) of \(tally.lines.recordCount) lines are none of a log")
        }
        if tally.otherConfigCount > 0 {
            Console.complain(
                "\(tally.otherConfigCount) lines name another config than the one that is given, and were decided with that"
            )
        }
        if tally.undecidableCount > 0 {
            Console.complain("\(tally.undecidableCount) decisions cannot be made again without the visitor's id")
        }
        let withheld = tally.withheldCount > 0 ? ", \(tally.withheldCount) of them where properties are withheld" : ""
        Console.complain("\(tally.differenceCount) of \(tally.decisionCount) decisions come out otherwise\(withheld)")
        source.endBySignalIfAny()
        return tally.differenceCount == 0 && tally.lines.errorCount == 0 ? .done : .answerIsNo
    }

    /// The config in a file. What is wrong with it is complained about, a line each.
    static func candidate(_ path: String) throws(UsageError) -> DecisionReplay.Candidate {
        let data = try InputFile.read(path, for: configs.name)
        do {
            let candidate = try DecisionReplay.Candidate(json: data)
            for diagnostic in candidate.config.diagnostics { Console.complain("warning: \(diagnostic)") }
            return candidate
        } catch {
            throw UsageError("'\(path)' is no project config: \(error)")
        }
    }

    private func replay(_ source: ByteInput, by replay: DecisionReplay) throws -> ReplayTally {
        let output = ByteOutput()
        let progress = RowProgress()
        defer { Console.endProgress() }
        return try source.naming {
            try replay.run(
                threads: threads, read: { try source.read(into: $0) }, write: { try output.write($0) },
                didWrite: { progress.show($0.lines.recordCount) })
        }
    }
}
