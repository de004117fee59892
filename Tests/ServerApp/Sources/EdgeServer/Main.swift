import Bridges
import ConvertRemoteEvaluation
import ConvertSwiftSDK
import Hummingbird
import HummingbirdCore
import Logging
import UnixSignals

/// An edge server: it answers OpenFeature's remote evaluation protocol from one project's config.
@main
enum Main {
    static func main() async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "edge")
        let settings = try EdgeSettings(Environment())
        let convert = try settings.makeSDK(logger: Logger(label: "convert.stores"))
        let remote = RemoteEvaluation(sdk: convert, configuration: settings.remoteEvaluation)
        let metrics = EdgeMetrics(sdk: convert)
        let router = Router()
        router.add(middleware: RemoteEvaluationMiddleware(remote: remote, metrics: metrics))
        StatusRoutes(sdk: convert, metrics: metrics).add(to: router)
        let server = Application(
            router: router,
            server: settings.server,
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: MaximumAvailableConnections(settings.connectionLimit)),
            // It ends after the server: nothing is tracked any more when the SDK delivers the rest.
            services: [SDKService(sdk: convert, deadline: settings.shutdownDeadline, logger: logger)],
            onServerRunning: { logger.notice("listening on port \($0.localAddress?.port ?? 0)") },
            logger: logger)
        try await server.runService(gracefulShutdownSignals: [.sigterm, .sigint])
    }
}
