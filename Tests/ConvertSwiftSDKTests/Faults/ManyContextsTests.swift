import ConvertMonitoring
import ConvertTransport
import ConvertConcurrency
import ConvertTestSupport
import ConvertTestServer
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// As many visitors as a busy server has at once, and clocks that jump.
@Suite(.timeLimit(.minutes(20)))
struct ManyContextsTests {
    /// Ten thousand with CONVERT_CASES=2.
    @Test func thousandsOfContextsAtOnceLoseNothing() async throws {
        let count = inputSize(10_000, plain: 2_000)
        let server = try FaultyServer()
        defer { server.server.stop() }
        var configuration = SDKConfiguration()
        configuration.trackEndpoint = server.address
        configuration.logger = RecordingLogger()
        configuration.queueCapacity = 100_000
        configuration.requestTimeout = EndpointFault.patience
        let sdk = ConvertSDK(config: try Fixture.config(), configuration: configuration)
        let contexts = (0..<count).map { sdk.createContext(visitorID: "v\($0)", attributes: ["plan": "pro"]) }
        server.fail(EndpointFault("answers 500", .status(500)))
        let decided = await withTaskGroup(of: Int.self) { group in
            for (number, context) in contexts.enumerated() {
                group.addTask {
                    context.trackConversion("purchase", options: NumberedConversion.options(number))
                    return context.decideAll().compactMap(\.variation).count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(decided >= 2 * count, "the experience for all, that for pros, and more")
        let gathered = sdk.deliveryCounts
        #expect(gathered.isComplete && gathered.accepted == 2 * count + decided && gathered.rejected.isEmpty)
        try server.heal()
        let report = await sdk.shutdown(deadline: EndpointFault.patience)
        #expect(report.isComplete && report.events.isComplete && report.events.delivered == gathered.accepted)
        #expect(server.numbers == Dictionary(grouping: 0..<count) { "v\($0)" })
    }

    @Test(arguments: [-10 * 365 * 86_400, -3600, 3600, 10 * 365 * 86_400])
    func aCalendarThatJumpsHoldsNothingUp(seconds: Int) async throws {
        let server = try FaultyServer(body: Fixture.data)
        defer { server.server.stop() }
        let clock = StepClock()
        // In half a minute, by the calendar before the jump.
        server.fail(
            EndpointFault("asks for a pause", .status(503, headers: ["Retry-After": "Tue, 14 Nov 2023 22:13:50 GMT"])))
        let sdk = try Fixture.sdk(clock: clock, transport: SystemTransport()) {
            $0.trackEndpoint = server.address
            $0.requestTimeout = EndpointFault.patience
        }
        clock.setDate(clock.date.addingTimeInterval(Double(seconds)))
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(await sdk.flush().queued == 1)
        try server.heal()
        // However far the calendar went back, no pause is longer than an hour.
        clock.advance(by: .seconds(3600))
        #expect(await eventually { sdk.deliveryCounts.delivered == 1 })
        #expect(sdk.deliveryCounts.isComplete)
    }

    @Test func aMachineThatSleptForDaysGoesOnAtOnce() async throws {
        let config = try FaultyServer(body: Fixture.data)
        let tracking = try FaultyServer()
        defer {
            config.server.stop()
            tracking.server.stop()
        }
        let clock = StepClock()
        let sdk = Fixture.fetchingSDK(clock: clock, transport: SystemTransport()) {
            $0.configEndpoint = config.address
            $0.trackEndpoint = tracking.address
            $0.batchSize = 100
            // Shorter than the deadline by which the test recognizes the refresher's rest.
            $0.requestTimeout = .seconds(90)
        }
        try await sdk.ready()
        #expect(await eventually { (clock.nextDeadline ?? .zero) > .seconds(100) })
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        #expect(await eventually { clock.nextDeadline == .seconds(1) })
        clock.advance(by: .seconds(5 * 86_400))
        #expect(await eventually { sdk.deliveryCounts.delivered == 1 })
        #expect(await config.server.waitForRequests(2))
        #expect(await eventually { (clock.nextDeadline ?? .zero) > clock.now + .seconds(100) })
        #expect(config.server.requests.count == 2, "what was missed is not made up for")
    }
}
