import ConvertLedgers
import ConvertMonitoring
import ConvertTestSupport
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Which URLs events are sent to, whatever a config or a ledger says.
@Suite(.timeLimit(.minutes(10)))
struct TrackingAddressTests {
    private func config(account: String, project: String) throws -> ProjectConfig {
        try ProjectConfig(
            json: Data(
                #"{"account_id": \#(account), "project": {"id": \#(project)}, "goals": [{"id": "4", "key": "buy"}]}"#
                    .utf8))
    }

    private func track(
        account: String, project: String, endpoint: String = SDKConfiguration.defaultTrackEndpoint
    ) async throws -> (urls: [String], counts: DeliveryCounts, warnings: [String]) {
        let (transport, logger) = (ScriptedTransport(status: 200), RecordingLogger())
        let sdk = try Fixture.sdk(
            source: .fixed(config(account: account, project: project)), transport: transport, secret: "hidden"
        ) {
            $0.trackEndpoint = endpoint
            $0.logger = logger
        }
        sdk.createContext(visitorID: "v1").trackConversion("buy")
        let counts = await sdk.flush()
        return (transport.requests.map(\.url.absoluteString), counts, logger.warnings)
    }

    static let usable: [(account: String, project: String, url: String)] = [
        (#""10""#, #""20""#, "https://20.metrics.convertexperiments.com/v1/track/10/20"),
        ("10", "20", "https://20.metrics.convertexperiments.com/v1/track/10/20"),
        (#""a-1_B""#, #""20""#, "https://20.metrics.convertexperiments.com/v1/track/a-1_B/20"),
    ]

    @Test(arguments: usable) func eventsGoToTheAccountsProject(account: String, project: String, url: String)
        async throws
    {
        let (urls, counts, warnings) = try await track(account: account, project: project)
        #expect(urls == [url])
        #expect(counts.delivered == 1 && warnings.isEmpty)
    }

    @Test(arguments: ["../..", "..", "%2e%2e", "a/b", "a?b", "a#b", "a@b", "a:80", "evil.com", "a b", "a\\u0000", "é"])
    func anIDThatCouldLeadElsewhereSendsNothing(id: String) async throws {
        for (account, project) in [(id, "20"), ("10", id)] {
            let (urls, counts, warnings) = try await track(account: "\"\(account)\"", project: "\"\(project)\"")
            #expect(urls.isEmpty)
            #expect(counts.rejected == [.unaddressed: 1] && counts.queued == 0)
            #expect(warnings.count == 1 && warnings.allSatisfy { $0.contains("account or project id") })
        }
    }

    @Test func anIDThatIsNoPartOfTheURLMayBeAnything() throws {
        var configuration = SDKConfiguration()
        configuration.trackEndpoint = "https://e.com/v1/"
        let endpoint = TrackingEndpoint(configuration: configuration, secret: nil)
        func event(key: String?) -> QueuedEvent {
            QueuedEvent(
                destination: TrackingDestination(sdkKey: key, accountID: "../..", projectID: "a b"), visitorID: "v",
                segments: nil, content: .read(.null))
        }
        #expect(try endpoint.request(for: [event(key: "10/20")]).url.absoluteString == "https://e.com/v1/track/10/20")
        // A ledger may hold what an earlier version took.
        #expect(throws: TrackingEndpoint.Fault.destination) { try endpoint.request(for: [event(key: "../..")]) }
        #expect(throws: TrackingEndpoint.Fault.destination) { try endpoint.request(for: [event(key: nil)]) }
    }

    @Test func eventsWithoutAnAddressDoNotHoldUpOthers() async throws {
        let transport = ScriptedTransport(status: 200)
        let hostile = QueuedEvent(
            destination: TrackingDestination(sdkKey: "../..", accountID: "10", projectID: "20"), visitorID: "v0",
            segments: nil, content: .read(.null))
        let disk = MemoryLedger()
        try await disk.put([hostile.record])
        let sdk = try Fixture.sdk(transport: transport) { $0.ledger = disk }
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(await eventually { sdk.deliveryCounts.restored == 1 })
        await sdk.flush()
        await sdk.flush()
        #expect(transport.events.map(\.visitor) == ["v1"])
        #expect(sdk.deliveryCounts.rejected == [.unaddressed: 1])
    }
}
