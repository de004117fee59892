import Foundation
import Hummingbird
import Logging

/// Stands in for Convert's hosts: serves a file as the config of every SDK key, as it is by then, and counts the
/// tracking events that arrive.
///
///     FakeEndpoint CONFIG
///
/// `POST /failures/N` makes it answer the next N tracking requests with 500, `GET /events` lists what arrived, a line
/// per event with how often it did, and `GET /metrics` the sums.
@main
enum Main {
    private static let maximumBodyLength = 16 << 20

    static func main() async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "fake")
        guard let path = CommandLine.arguments.dropFirst().first else {
            logger.critical("no config given: FakeEndpoint CONFIG")
            exit(2)
        }
        let server = Application(
            router: router(config: URL(fileURLWithPath: path), ledger: Ledger()),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { logger.notice("listening on port \($0.localAddress?.port ?? 0)") },
            logger: logger)
        try await server.runService()
    }

    private static func router(config file: URL, ledger: Ledger) -> Router<BasicRequestContext> {
        let router = Router()
        router.get("api/v1/config/**") { request, context in
            let config = try Data(contentsOf: file)
            let eTag = "\"\(String(fnv1a(config), radix: 16))\""
            let response = try await request.ifNoneMatch(
                headers: [.contentType: "application/json"], eTag: eTag, context: context
            ) {
                ByteBuffer(bytes: config)
            }
            ledger.countConfig(isSent: response.status == .ok)
            return response
        }
        router.post("v1/track/**") { request, _ in
            guard request.headers[.userAgent] == "ConvertAgent/1.0" else { return HTTPResponse.Status.forbidden }
            let body = try await request.body.collect(upTo: maximumBodyLength)
            guard let events = try? JSONDecoder().decode(TrackingRequest.self, from: body).eventIDs else {
                return .badRequest
            }
            return ledger.take(events) ? .ok : .internalServerError
        }
        router.post("failures/:count") { _, context in
            ledger.failNext(try context.parameters.require("count", as: Int.self))
            return HTTPResponse.Status.ok
        }
        router.get("events") { _, _ in
            ledger.read { $0.events }.map { "\($0.key)\t\($0.value)\n" }.joined()
        }
        router.get("metrics") { _, _ in
            ledger.read { state in
                """
                configs_sent \(state.configsSent)
                configs_unchanged \(state.configsUnchanged)
                requests_accepted \(state.acceptedRequests)
                requests_refused \(state.refusedRequests)
                events \(state.events.values.reduce(0, +))
                events_distinct \(state.events.count)

                """
            }
        }
        return router
    }

    /// The 64-bit FNV-1a hash: the same in every process, so that a restarted server can ask for changes only.
    private static func fnv1a(_ data: Data) -> UInt64 {
        data.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
