import ConvertMonitoring
import ConvertTestServer
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// A config endpoint that fails, on a real socket.
@Suite(.timeLimit(.minutes(20)))
struct ConfigFaultTests {
    private func sdk(
        _ server: FaultyServer, timeout: Duration,
        _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.configEndpoint = server.address
        configuration.trackEndpoint = "http://127.0.0.1:9/"
        configuration.requestTimeout = timeout
        configuration.maximumConfigLength = EndpointFault.configLimit
        configuration.logger = RecordingLogger()
        change(&configuration)
        return ConvertSDK(sdkKey: "10/20", configuration: configuration, transport: transportUnderTest())
    }

    @Test(arguments: EndpointFault.all) func withoutAFirstConfigNoVisitorIsEligible(fault: EndpointFault)
        async throws
    {
        let server = try FaultyServer(body: Fixture.data)
        defer { server.server.stop() }
        server.fail(fault)
        let sdk = sdk(server, timeout: fault.timeout)
        let error = await #expect(throws: ConvertError.self) { try await sdk.ready() }
        #expect(error.map { fault.codes.contains($0.code) } == true, "\(String(describing: error?.code))")
        let early = sdk.createContext(visitorID: "v1")
        #expect(early.decide("all").reason == .sdkNotReady)
        #expect(early.trackConversion("purchase") == .sdkNotReady)
        #expect(sdk.deliveryCounts == DeliveryCounts())
        #expect(server.server.bytesSent < 64 << 20)
        try server.heal()
        #expect(await eventuallyAsync { (try? await sdk.refreshConfig()) != nil })
        try await sdk.ready()
        #expect(early.decide("all").variation != nil)
    }

    @Test(arguments: EndpointFault.all) func theLastGoodConfigDecides(fault: EndpointFault) async throws {
        let server = try FaultyServer(body: Fixture.data, headers: ["Connection": "close"])
        defer { server.server.stop() }
        let sdk = sdk(server, timeout: fault.timeout)
        #expect(await eventuallyAsync { (try? await sdk.refreshConfig()) != nil })
        let before = sdk.createContext(visitorID: "v1").decide("all").variation?.variationKey
        server.fail(fault)
        let error = await #expect(throws: ConvertError.self) { try await sdk.refreshConfig() }
        #expect(error.map { fault.codes.contains($0.code) } == true, "\(String(describing: error?.code))")
        #expect(before != nil && sdk.createContext(visitorID: "v1").decide("all").variation?.variationKey == before)
        try server.heal()
        #expect(await eventuallyAsync { (try? await sdk.refreshConfig()) != nil })
    }

    @Test(arguments: EndpointFault.all) func aShutdownDoesNotWaitForTheFetch(fault: EndpointFault) async throws {
        let server = try FaultyServer(body: Fixture.data)
        defer { server.server.stop() }
        server.fail(fault)
        // The request itself would outlast the test.
        let sdk = sdk(server, timeout: .seconds(3600))
        let ready = Task { try await sdk.ready() }
        if fault.response != nil { await server.server.waitForRequests(1) }
        #expect(await sdk.shutdown(deadline: EndpointFault.patience).isComplete)
        await #expect(throws: ConvertError.self) { try await ready.value }
        #expect(sdk.createContext(visitorID: "v1").decide("all").reason == .sdkNotReady)
    }

    @Test func notModifiedKeepsTheCopyThatThereIs() async throws {
        let server = try FaultyServer(body: Fixture.data, headers: ["Connection": "close", "ETag": "\"one\""])
        defer { server.server.stop() }
        let sdk = sdk(server, timeout: EndpointFault.patience)
        try await sdk.ready()
        server.fail(EndpointFault("answers 304", .status(304)))
        try await sdk.refreshConfig()
        #expect(server.server.requests.last?.headers["if-none-match"] == "\"one\"")
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation != nil)
    }

    /// What a config may come as, however unusual.
    static let oddities: [(name: String, response: ServerResponse)] = [
        ("as text", .status(200, headers: ["Content-Type": "text/plain"], body: Fixture.data)),
        ("as a page", .status(200, headers: ["Content-Type": "text/html; charset=latin1"], body: Fixture.data)),
        ("without a type, in chunks", .chunked([Fixture.data.prefix(100), Fixture.data.dropFirst(100)])),
        ("compressed", .status(200, headers: ["Content-Encoding": "gzip"], body: Gzip.compress(Fixture.data))),
        ("late", .status(200, body: Fixture.data).delayed(by: 0.2)),
    ]

    @Test(arguments: oddities.indices) func anUnusualResponseWithAConfigIsTaken(index: Int) async throws {
        let (name, response) = Self.oddities[index]
        let server = try FaultyServer()
        defer { server.server.stop() }
        server.fail(EndpointFault(name, response))
        let sdk = sdk(server, timeout: EndpointFault.patience)
        try await sdk.ready()
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation != nil, "\(name)")
    }
}
