import Foundation

/// `convert-sdk help`.
struct HelpCommand: Command {
    static let declaration = CommandDeclaration(
        name: "help", summary: "this, or more on a command",
        discussion: "Lists the commands, or tells what a command does and takes.",
        operands: CommandDeclaration.Operands(
            name: "COMMAND", meaning: "a command's name", count: 0...1, candidates: .names { CommandList.names }))

    private let command: (any Command.Type)?

    init(_ arguments: Arguments) throws { command = try arguments.operands.first.map(CommandList.command) }

    func run() -> ExitCode {
        for line in command.map({ HelpPage(of: $0.declaration).lines }) ?? Self.overview { Console.print("\(line)") }
        return .done
    }

    private static var overview: [String] {
        let usages = CommandList.all.map { ("convert-sdk \($0.declaration.name) \($0.declaration.usage)", $0) }
        let width = usages.map(\.0.count).max() ?? 0
        let lines = usages.map { usage, command in
            usage + String(repeating: " ", count: width - usage.count + 2) + command.declaration.summary
        }
        return """
            Runs experiments, features and mobile rules as the SDK does, on files or on the live config of an SDK key.

            \(lines.joined(separator: "\n"))

            A FILE may be '-' for standard input, or a pipe. 'convert-sdk --version' prints the version.
            Exit codes: 0 done, 1 the answer is no (mismatches, an unknown key), 2 bad usage or input.
            """.components(separatedBy: "\n")
    }
}
