import ConvertSwiftSDKCore
import Foundation

/// The command line tool's entry.
@main
enum Main {
    static func main() async {
        var status = ExitCode.badUsage
        do {
            status = try await run(CommandLineText.words())
        } catch let error as UsageError {
            Console.complain(error.message)
        } catch {
            Console.complain("\(error)")
        }
        do {
            try Console.flush()
        } catch {
            Console.complain(error.message)
            status = .badUsage
        }
        exit(status.rawValue)
    }

    /// Runs the command that `arguments` name.
    private static func run(_ arguments: [String]) async throws -> ExitCode {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case nil:
            throw UsageError("no command given; 'convert-sdk help' lists them")
        case "--help", "-h":
            return try HelpCommand(Arguments(rest, for: HelpCommand.declaration)).run()
        case "--version", "version":
            if let operand = rest.first { throw UsageError("unexpected '\(operand)' after --version") }
            Console.print("convert-sdk \(PackageVersion.current)")
            return .done
        case Completer.name:
            for line in Completer(words: rest).lines { Console.print(line) }
            return .done
        case let name?:
            let command = try CommandList.command(name)
            do {
                return try await command.init(Arguments(rest, for: command.declaration)).run()
            } catch is Arguments.HelpRequest {
                for line in HelpPage(of: command.declaration).lines { Console.print(line) }
                return .done
            }
        }
    }
}
