import ConvertSwiftSDKCore
import Foundation

/// The command line tool's entry.
@main
enum Main {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            exit(try await run(arguments).rawValue)
        } catch let error as UsageError {
            Console.complain(error.message)
        } catch {
            Console.complain("\(error)")
        }
        exit(ExitCode.badUsage.rawValue)
    }

    /// Runs the command that `arguments` name.
    static func run(_ arguments: [String]) async throws -> ExitCode {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case nil:
            throw UsageError("no command given; 'convert-sdk help' lists them")
        case "help", "--help", "-h":
            return try HelpCommand.run(rest)
        case "--version", "version":
            if let operand = rest.first { throw UsageError("unexpected '\(operand)' after --version") }
            print("convert-sdk \(PackageVersion.current)")
            return .done
        case let name? where rest.first == "--help" || rest.first == "-h":
            return try HelpCommand.run([name])
        case "decide":
            return try await DecideCommand(rest).run()
        case "features":
            return try await FeaturesCommand(rest).run()
        case "regex":
            return try RegexCommand(rest).run()
        case "rules":
            return try await RulesCommand(rest).run()
        case "vectors":
            return try await VectorsCommand(rest).run()
        case let name?:
            throw UsageError("unknown command '\(name)'; 'convert-sdk help' lists them")
        }
    }
}

/// What a command's end says.
enum ExitCode: Int32 {
    /// Done.
    case done = 0
    /// The answer is no: there were mismatches.
    case answerIsNo = 1
    /// Bad usage or bad input.
    case badUsage = 2
}
