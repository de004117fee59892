import ConvertSwiftSDK
import Hummingbird
import Logging

/// A shop's server that decides, checks features and tracks conversions with the SDK.
@main
enum Main {
    static func main() async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "shop")
        let settings = try Settings(Environment())
        let convert = try settings.makeSDK(logger: Logger(label: "convert"))
        let server = Application(
            router: Routes(convert: convert).makeRouter(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: settings.port)),
            onServerRunning: { logger.notice("listening on port \($0.localAddress?.port ?? 0)") },
            logger: logger)
        var failure: (any Error)?
        do {
            try await server.runService(gracefulShutdownSignals: [.sigterm, .sigint])
        } catch {
            failure = error
        }
        // No request is under way any more; what they tracked may not have been delivered yet.
        log(await convert.shutdown(deadline: settings.shutdownDeadline), to: logger)
        if let failure { throw failure }
    }

    private static func log(_ report: ShutdownReport, to logger: Logger) {
        let events = report.events
        logger.notice(
            """
            shut down: accepted=\(events.accepted) restored=\(events.restored) delivered=\(events.delivered) \
            queued=\(events.queued) rejected=\(events.rejectedTotal) unsavedVisitors=\(report.unsavedVisitors)
            """)
        if report.isComplete { return }
        logger.warning(
            """
            \(events.queued) events were not delivered\(report.isJournaled ? "; the next start delivers them" : ""), \
            \(report.unsavedVisitors) visitors were not saved
            """)
    }
}
