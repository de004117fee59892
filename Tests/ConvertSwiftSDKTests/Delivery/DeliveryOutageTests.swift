import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// What the app sees of an endpoint that takes nothing.
struct DeliveryOutageTests {
    let clock = StepClock()
    let isRefusing = Shared(true)

    private func sdk(_ status: Int?, headers: [String: String] = [:]) throws -> ConvertSDK {
        let sdk = try Fixture.sdk(
            clock: clock,
            transport: ScriptedTransport { [isRefusing] _, _ in
                if !isRefusing.withLock({ $0 }) { return HTTPResponse(status: 200) }
                guard let status else { throw Failure() }
                return HTTPResponse(status: status, headers: headers)
            })
        sdk.createContext(visitorID: "v1").trackConversion("purchase")
        return sdk
    }

    static let answers: [(status: Int?, cause: DeliveryOutage.Cause)] = [
        (nil, .unavailable), (503, .unavailable), (401, .credentials), (404, .address), (302, .address), (407, .proxy),
        (418, .request),
    ]

    @Test(arguments: answers) func anOutageIsThereUntilAnEventIsTaken(status: Int?, cause: DeliveryOutage.Cause)
        async throws
    {
        let sdk = try sdk(status)
        #expect(sdk.deliveryOutage == nil)
        await sdk.flush()
        let outage = try #require(sdk.deliveryOutage)
        #expect(outage.cause == cause && outage.status == status)
        isRefusing.withLock { $0 = false }
        #expect(await sdk.flush().delivered == 1)
        #expect(sdk.deliveryOutage == nil)
    }

    @Test func anOutageSaysSinceWhenItLastsAndWhenTheNextAttemptIs() async throws {
        let sdk = try sdk(403)
        let start = clock.date
        await sdk.flush()
        clock.setDate(start + 5)
        #expect(sdk.deliveryOutage?.since == start)
        await sdk.flush()
        let outage = try #require(sdk.deliveryOutage)
        #expect(outage.since == start)
        // A second pause is up to two minutes long.
        #expect(outage.nextAttempt > start + 5 && outage.nextAttempt <= start + 125)
    }

    @Test func theNextAttemptIsWhenTheEndpointAsksForIt() async throws {
        let sdk = try sdk(429, headers: ["Retry-After": "600"])
        let start = clock.date
        await sdk.flush()
        #expect(sdk.deliveryOutage?.nextAttempt == start + 600)
        #expect(
            sdk.deliveryOutage?.description
                == "unavailable (status 429) since 2023-11-14T22:13:20Z, next attempt 2023-11-14T22:23:20Z")
    }

    @Test func anEventThatIsRefusedForItsBodyIsNoOutage() async throws {
        let sdk = try sdk(422)
        #expect(await sdk.flush().rejected == [.refused(status: 422): 1])
        #expect(sdk.deliveryOutage == nil)
    }
}
