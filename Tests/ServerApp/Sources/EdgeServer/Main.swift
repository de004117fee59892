import Bridges
import ConvertRemoteEvaluation
import ConvertSwiftSDK
import Foundation
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
        do {
            try await serve(EdgeSettings(Environment()), logger)
        } catch {
            logger.critical("\(error)")
            exit(1)
        }
    }

    private static func serve(_ settings: EdgeSettings, _ logger: Logger) async throws {
        let convert = try settings.makeSDK(logger: Logger(label: "convert.stores"))
        let metrics = EdgeMetrics(sdk: convert)
        let evaluation = CountedEvaluation(
            remote: RemoteEvaluation(sdk: convert, configuration: settings.remoteEvaluation), metrics: metrics)
        let router = Router(options: .autoGenerateHeadEndpoints)
        StatusRoutes(sdk: convert, metrics: metrics).add(to: router)
        let server = Application(
            responder: EdgeResponder(evaluation: evaluation, others: router.buildResponder()),
            server: try settings.server(of: evaluation),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: MaximumAvailableConnections(settings.connectionLimit)),
            // It ends after the server: nothing is tracked any more when the SDK delivers the rest.
            services: [SDKService(sdk: convert, deadline: settings.shutdownDeadline, logger: logger)],
            onServerRunning: { channel in
                // Connections are counted one by one, so that there are never more than the limit.
                try? await channel.setOption(.maxMessagesPerRead, value: 1).get()
                logger.notice("listening on port \(channel.localAddress?.port ?? 0)")
            },
            logger: logger)
        try await server.runService(gracefulShutdownSignals: [.sigterm, .sigint])
    }
}
