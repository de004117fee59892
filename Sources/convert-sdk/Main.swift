import ConvertConcurrency
import ConvertValues
import Foundation

/// The entry point of the command line tool.
@main
enum Main {
    static func main() {
        let status = Mutex(ExitCode.badUsage)
        let end = DispatchSemaphore(value: 0)
        do {
            // Checked before the first task, because Dispatch opens files for tasks.
            try SystemFile.checkRoom()
        } catch {
            Console.complain(error.message)
            exit(ExitCode.badUsage.rawValue)
        }
        Task.detached {
            let result = await answer()
            status.withLock { $0 = result }
            end.signal()
        }
        end.wait()
        exit(status.withLock { $0 }.rawValue)
    }

    /// Runs the command of the command line, and writes the printed output.
    private static func answer() async -> ExitCode {
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
        return status
    }

    /// Runs the command in `arguments`.
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
                for line in HelpPage(of: command.declaration).lines { Console.print("\(line)") }
                return .done
            }
        }
    }
}
