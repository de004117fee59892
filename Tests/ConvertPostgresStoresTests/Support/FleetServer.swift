#if Postgres
import ConvertConcurrency
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertTestSupport
import ConvertTransport
import Foundation

@testable import ConvertPostgresStores

/// One server of a fleet: an SDK with connections of its own, and what it has sent.
final class FleetServer: Sendable {
    /// What tracking requests report.
    private struct Body: Decodable {
        struct Visitor: Decodable {
            let visitorId: String
            let events: [Event]
        }

        struct Event: Decodable {
            struct Content: Decodable {
                let goalId: String?
                let variationId: String?
            }

            let data: Content
        }

        let visitors: [Visitor]
    }

    let sdk: ConvertSDK
    private let transport: ScriptedTransport

    /// - Parameters:
    ///   - share: how much of a hundred the first variation gets.
    ///   - delivers: whether its requests arrive.
    ///   - lease: by default no lease ends though the machine is busy.
    init(
        _ schema: TestSchema, address: String? = nil, share: Int = 50, delivers: Bool = true,
        lease: Duration = .seconds(3600), timeout: Duration = .seconds(300),
        releaseInterval: Duration = .milliseconds(5), time: any TimeSource = SystemTime()
    ) throws {
        transport = ScriptedTransport { _, _ in
            if !delivers { throw ScriptedTransport.Unreachable() }
            return HTTPResponse(status: 200)
        }
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        configuration.releaseInterval = releaseInterval
        configuration.loadTimeout = .seconds(300)
        configuration.ledger = try schema.ledger(address, timeout: timeout, lease: lease, time: time)
        configuration.ledgerPatience = .seconds(3600)
        let config = Data(
            """
            {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
            "experiences": [{"id": "91", "key": "split", "variations": [
            {"id": "910", "key": "a", "traffic_allocation": \(share)},
            {"id": "911", "key": "b", "traffic_allocation": \(100 - share)}]}]}
            """.utf8)
        sdk = try ConvertSDK(configData: config, configuration: configuration, transport: transport)
    }

    /// The visitors whose goals were reported, one entry for each report that was sent.
    var conversions: [String] { reports { $0.goalId != nil } }

    /// As ``conversions``, for decisions.
    var decisions: [String] { reports { $0.variationId != nil } }

    private func reports(_ isIncluded: (Body.Event.Content) -> Bool) -> [String] {
        transport.requests.flatMap { request -> [String] in
            guard let body = try? JSONDecoder().decode(Body.self, from: request.body ?? Data()) else { return [] }
            return body.visitors.flatMap { visitor in
                visitor.events.filter { isIncluded($0.data) }.map { _ in visitor.visitorId }
            }
        }
    }
}
#endif
