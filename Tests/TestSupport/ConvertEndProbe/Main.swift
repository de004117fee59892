import ConvertPostgresStores
import ConvertSwiftSDK
import Foundation

/// A process that makes an SDK, which begins to fetch its config, and ends while it does:
///
///     ConvertEndProbe exit MICROSECONDS ENDPOINT      calls `exit` on the main thread
///     ConvertEndProbe thread MICROSECONDS ENDPOINT    calls `exit` on another thread
///     ConvertEndProbe return MICROSECONDS ENDPOINT    returns from `main`
///     ConvertEndProbe shutdown MICROSECONDS ENDPOINT  returns from `main` after a shutdown of at most a millisecond
///     ConvertEndProbe quick MICROSECONDS ENDPOINT     calls `quick_exit`
///     ConvertEndProbe fork MICROSECONDS ENDPOINT      forks a child that calls `exit`, waits for it, and calls `exit`
///
/// MICROSECONDS is how long after the SDK was made. Built with the trait, it takes the connection string of a
/// PostgreSQL server behind that, and keeps its ledger there. It ends with status 0.
@main
struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let microseconds = UInt32(arguments[2]) else { exit(2) }
        var configuration = SDKConfiguration()
        configuration.configEndpoint = arguments[3]
        configuration.allowsPlainHTTP = true
        configuration.logLevel = .silent
        if arguments.count > 4 { try addLedger(arguments[4], to: &configuration) }
        let convert = ConvertSDK(sdkKey: "1001/2002", environment: "production", configuration: configuration)
        withExtendedLifetime(convert) { _ = usleep(microseconds) }
        switch arguments[1] {
        case "exit": exit(0)
        case "thread":
            Thread.detachNewThread { exit(0) }
            while true { sleep(1) }
        case "return": break
        case "shutdown": _ = await convert.shutdown(deadline: .milliseconds(1))
        case "quick": quick_exit(0)
        case "fork": forkAndExit()
        default: exit(2)
        }
    }

    private static func addLedger(_ connection: String, to configuration: inout SDKConfiguration) throws {
        #if Postgres
        let ledger = try PostgresLedger(connection, report: { _ in })
        configuration.ledger = ledger
        // The SDK connects once it has a config. This does meanwhile.
        Task { try await ledger.visitor("visitor") }
        #else
        exit(2)
        #endif
    }

    /// A child has this thread only, and whatever locks other threads held when it was made.
    private static func forkAndExit() -> Never {
        // Swift hides `fork`, but libraries of an app may call it.
        typealias Fork = @convention(c) () -> pid_t
        guard let all = dlopen(nil, RTLD_NOW), let symbol = dlsym(all, "fork") else { exit(2) }
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 { exit(0) }
        var status: Int32 = 0
        guard child > 0, waitpid(child, &status, 0) == child else { exit(2) }
        exit(status == 0 ? 0 : 3)
    }
}
