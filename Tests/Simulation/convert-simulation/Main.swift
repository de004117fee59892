import Foundation

/// Runs the whole SDK under seeds; see `Tests/Simulation/README.md`.
@main
struct Main {
    static func main() {
        #if os(Linux)
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.printsLog { Workers.becomeWorker() }
            if options.isWorker || options.printsLog { return SeedRun(options: options).run() }
            exit(Commands(options: options).run() ? 0 : 1)
        } catch {
            if case .usage(let message) = error { print("\(message).\n\n\(Options.usage)") }
            exit(2)
        }
        #else
        print("The simulation stands in for the system's functions by their names, which works on Linux only.")
        #endif
    }
}
