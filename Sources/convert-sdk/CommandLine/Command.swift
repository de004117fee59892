import ConvertAnalysis
import ConvertSwiftSDKCore

/// A command of the tool. Its declaration gives the parsing, the usage line, the help page and the completions.
protocol Command: Sendable {
    static var declaration: CommandDeclaration { get }

    /// The command with `arguments`, which fit its declaration.
    init(_ arguments: Arguments) throws

    /// Does what the command is for.
    func run() async throws -> ExitCode
}

/// What a command's end says.
enum ExitCode: Int32 {
    /// Done.
    case done = 0
    /// The answer is no: there were mismatches, or a key that the config does not have.
    case answerIsNo = 1
    /// Bad usage or bad input, or output that could not be written.
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

    /// Their names.
    static var names: [String] { all.map { $0.declaration.name } }

    /// The command of that name.
    static func command(_ name: String) throws(UsageError) -> any Command.Type {
        if let command = all.first(where: { $0.declaration.name == name }) { return command }
        if name == "explain" {
            throw UsageError("unknown command 'explain'; 'convert-sdk decide --explain' explains decisions")
        }
        let unknown = UnknownName("command", name, among: names)
        throw UsageError("unknown command '\(name)'\(unknown.question(then: "'convert-sdk help' lists them"))")
    }
}
