import ConvertConcurrency
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

@Suite(.timeLimit(.minutes(10)))
struct ReadinessTests {
    /// Does not answer.
    private let silent = ScriptedTransport { _, _ in
        try await Task.sleep(for: .seconds(86_400))
        return HTTPResponse(status: 500)
    }

    @Test func withATimeoutAFailedAttemptIsFollowedByTheNext() async throws {
        let clock = StepClock()
        let transport = ScriptedTransport { _, index in
            index < 2 ? HTTPResponse(status: 500) : HTTPResponse(status: 200, body: Fixture.data)
        }
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport)
        let ready = Task { try await sdk.ready(timeout: .seconds(60)) }
        for count in 1...2 {
            #expect(await eventually { transport.requests.count == count })
            // The wait for the next attempt, and no request's own deadline.
            #expect(await eventually { clock.nextDeadline.map { $0 <= clock.now + .seconds(4) } ?? false })
            clock.advance(by: .seconds(4))
        }
        try await ready.value
        #expect(clock.now == .seconds(8) && sdk.isReady)
    }

    @Test func atTheTimeoutItThrowsWhatWentWrongLast() async throws {
        let clock = StepClock()
        let transport = ScriptedTransport { _, index in HTTPResponse(status: index == 0 ? 500 : 403) }
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport)
        let ready = Task { try await sdk.ready(timeout: .seconds(60)) }
        #expect(await eventually { clock.nextDeadline.map { $0 <= .seconds(2) } ?? false })
        clock.advance(by: .seconds(2))
        #expect(await eventually { transport.requests.count == 2 })
        #expect(
            await eventually { (clock.nextDeadline ?? .zero) > clock.now && clock.nextDeadline ?? .zero < .seconds(7) })
        clock.advance(by: .seconds(58))
        let error = await #expect(throws: ConvertError.self) { try await ready.value }
        #expect(error?.code == .accessDenied)
    }

    @Test func waitingEndsForAFailureThatCannotPass() async {
        let sdk = Fixture.fetchingSDK(key: "", transport: ScriptedTransport(status: 200))
        let error = await #expect(throws: ConvertError.self) { try await sdk.ready(timeout: .seconds(60)) }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test func aCancelledWaitSaysSo() async throws {
        let clock = StepClock()
        let sdk = Fixture.fetchingSDK(clock: clock, transport: silent)
        let ready = Task { try await sdk.ready(timeout: .seconds(60)) }
        #expect(await eventually { clock.isAwaited(in: .seconds(60)) })
        ready.cancel()
        let error = await #expect(throws: ConvertError.self) { try await ready.value }
        #expect(error?.code == .notReady && error?.message.contains("cancelled") == true)
    }

    @Test func aCancelledWaitSaysWhatWentWrongBefore() async throws {
        let clock = StepClock()
        let sdk = Fixture.fetchingSDK(clock: clock, transport: ScriptedTransport(status: 500))
        await #expect(throws: ConvertError.self) { try await sdk.ready() }
        let ready = Task { try await sdk.ready(timeout: .seconds(60)) }
        #expect(await eventually { clock.isAwaited(in: .seconds(60)) })
        ready.cancel()
        let error = await #expect(throws: ConvertError.self) { try await ready.value }
        #expect(error?.code == .notReady && error?.message.contains("cancelled") == true)
        #expect(error?.message.contains("500") == true)
    }

    @Test func aWaitThatRanOutOfTimeSaysSo() async throws {
        let clock = StepClock()
        let sdk = Fixture.fetchingSDK(clock: clock, transport: silent)
        let ready = Task { try await sdk.ready(timeout: .seconds(1)) }
        #expect(await eventually { clock.isAwaited(in: .seconds(1)) })
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: ConvertError.self) { try await ready.value }
        #expect(error?.code == .notReady && error?.message.contains("in the time allowed") == true)
    }

    @Test func aShutdownEndsTheWait() async {
        let sdk = Fixture.fetchingSDK(transport: ScriptedTransport(status: 500))
        let ready = Task { try await sdk.ready(timeout: .seconds(60)) }
        await #expect(throws: ConvertError.self) { try await sdk.ready() }
        await sdk.shutdown(deadline: .zero)
        let error = await #expect(throws: ConvertError.self) { try await ready.value }
        #expect(error?.code == .shutDown)
    }
}
