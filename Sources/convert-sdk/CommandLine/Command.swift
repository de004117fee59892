import ConvertAnalysis
import ConvertSwiftSDK

/// A command of the tool. Its declaration determines its parsing, usage line, help page and completions.
protocol Command: Sendable {
    static var declaration: CommandDeclaration { get }

    /// Creates the command with `arguments`, which fit its declaration.
    init(_ arguments: Arguments) throws

    /// Runs the command.
    func run() async throws -> ExitCode
}

/// The exit code of a command.
enum ExitCode: Int32 {
    /// Success.
    case done = 0
    /// The answer is negative: there were mismatches, or the config does not contain a key.
    case answerIsNo = 1
    /// Invalid usage or input, or output that could not be written.
    case badUsage = 2
}

/// All commands, in the order in which the tool lists them.
enum CommandList {
    static let all: [any Command.Type] = [
        DecideCommand.self, FeaturesCommand.self, LintCommand.self, DiffCommand.self, AssignCommand.self,
        ReplayCommand.self, TestCommand.self, SimulateCommand.self, SampleRatioCommand.self,
        RemoteEvaluationCommand.self, RulesCommand.self, FetchCommand.self, SchemaCommand.self, KeysCommand.self,
        VectorsCommand.self, RegexCommand.self, CompletionsCommand.self, HelpCommand.self,
    ]

    /// The names of all commands.
    static var names: [String] { all.map { $0.declaration.name } }

    /// The command with this name.
    static func command(_ name: String) throws(UsageError) -> any Command.Type {
        if let command = all.first(where: { $0.declaration.name == name }) { return command }
        if name == "explain" {
            throw UsageError("unknown command 'explain'; 'convert-sdk decide --explain' explains decisions")
        }
        let unknown = UnknownName("command", name, among: names)
        throw UsageError("unknown command '\(name)'\(unknown.question(then: "'convert-sdk help' lists them"))")
    }
}
