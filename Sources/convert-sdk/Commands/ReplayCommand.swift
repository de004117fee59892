import ConvertAnalysis
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk replay`.
struct ReplayCommand: Command {
    private static let threads = OptionDeclaration(
        "--threads", "t", .text("N"), "how many threads work (default: as many as there are processors)")

    static let declaration = CommandDeclaration(
        name: "replay", summary: "decide a log again and tell what comes out otherwise",
        discussion: """
            Reads a log as 'assign --echo' writes it, a visitor with decisions in each line, decides each again, and prints \
            a line for each decision that comes out otherwise: {"visitorId":…,"experience":…,"logged":…,"found":…,\
            "reason":…}. With the config of then it tells whether decisions can be explained; with another config or \
            other semantics what a release would change.
            """,
        operands: CommandDeclaration.Operands(
            name: "LOG", meaning: "the log; - is standard input", count: 1...1, candidates: .files),
        options: ConfigOption.declarations + [threads],
        remarks: """
            Exits with 1 if a decision comes out otherwise, or if a line is none of a log.
            """)

    private let config: ConfigOption
    private let environment: String?
    private let log: String
    private let threads: Int

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        environment = arguments[ConfigOption.environment]
        log = arguments.operands.first ?? "-"
        threads = try arguments.count(Self.threads, in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
    }

    func run() async throws -> ExitCode {
        let environment = environment.flatMap { $0.isEmpty ? nil : $0 } ?? "staging"
        let replay = DecisionReplay(try await config.load(), environment: environment)
        let source = try ByteInput(log, for: "LOG")
        let tally = try self.replay(source, by: replay)
        for error in tally.lines.firstErrors { Console.complain("line \(error.record): \(error.error)") }
        if tally.lines.errorCount > 0 {
            Console.complain("\(tally.lines.errorCount) of \(tally.lines.recordCount) lines are none of a log")
        }
        Console.complain("\(tally.differenceCount) of \(tally.decisionCount) decisions come out otherwise")
        source.endBySignalIfAny()
        return tally.differenceCount == 0 && tally.lines.errorCount == 0 ? .done : .answerIsNo
    }

    private func replay(_ source: ByteInput, by replay: DecisionReplay) throws -> ReplayTally {
        let output = ByteOutput()
        let progress = RowProgress()
        defer { Console.endProgress() }
        return try replay.run(
            threads: threads, read: { try source.read(into: $0) }, write: { try output.write($0) },
            didWrite: { progress.show($0.lines.recordCount) })
    }
}
