import Bridges
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
        let convert = try settings.makeSDK(logger: Logger(label: "convert.stores"))
        let server = Application(
            router: Routes(convert: convert).makeRouter(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: settings.port)),
            // They end after the server, the last one first: nothing is tracked any more when the SDK delivers the
            // rest.
            services: [
                DeliveryMetrics(sdk: convert),
                SDKService(sdk: convert, deadline: settings.shutdownDeadline, logger: logger),
            ],
            onServerRunning: { logger.notice("listening on port \($0.localAddress?.port ?? 0)") },
            logger: logger)
        try await server.runService(gracefulShutdownSignals: [.sigterm, .sigint])
    }
}
