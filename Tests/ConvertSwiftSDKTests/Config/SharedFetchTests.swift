import ConvertTestSupport
import ConvertTransport
import Foundation
import ConvertConcurrency
import Testing

@testable import ConvertSwiftSDK

/// A fetch with several waiters, some of which give up.
@Suite(.timeLimit(.minutes(10)))
struct SharedFetchTests {
    /// Answers once a test lets it, unless it is cancelled.
    private final class HeldTransport: HTTPTransport {
        let gate = Latch()
        let cancelled = Latch()
        let inner = ScriptedTransport { _, _ in HTTPResponse(status: 200, body: Fixture.data) }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            let response = try await inner.send(request)
            if await gate.wait() { return response }
            cancelled.open()
            throw CancellationError()
        }
    }

    private let transport = HeldTransport()

    @Test func aCallerThatGivesUpDoesNotEndTheFetchForOthers() async throws {
        var configuration = SDKConfiguration()
        configuration.refreshInterval = .zero
        let log = Diagnostics(logger: RecordingLogger(), level: .silent)
        let readiness = Readiness()
        let refresher = ConfigRefresher(
            source: .cdn(ConfigEndpoint(sdkKey: "10/20", secret: nil, configuration: configuration)),
            configuration: configuration, transport: transport, surroundings: Surroundings(time: StepClock()),
            surface: ConfigInstallation.Surface(
                replaceSnapshot: { _ in }, hub: EventHub(), log: log, readiness: readiness))
        let caller = Task { try await refresher.refresh() }
        #expect(await eventually { transport.inner.requests.count == 1 })
        let loop = Task { await refresher.run() }
        let joiner = Task { try await refresher.refresh() }
        for caller in [caller, joiner] {
            caller.cancel()
            let error = await #expect(throws: ConvertError.self) { try await caller.value }
            #expect(error?.code == .notReady)
        }
        #expect(!readiness.isReady)
        transport.gate.open()
        await loop.value
        #expect(readiness.isReady)
        #expect(!transport.cancelled.isOpen)
    }

    @Test func aCopyThatIsReadAfterTheFirstFetchReplacesNothing() async throws {
        var configuration = SDKConfiguration()
        configuration.refreshInterval = .zero
        configuration.configCopyFile = URL(fileURLWithPath: Fixture.temporaryFile())
        let path = try #require(configuration.configCopyFile?.path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let endpoint = ConfigEndpoint(sdkKey: "10/20", secret: nil, configuration: configuration)
        let served = Mutex<ConfigSnapshot?>(nil)
        let transport = ScriptedTransport { _, index in
            HTTPResponse(status: index == 0 ? 200 : 500, body: Fixture.laterData)
        }
        let refresher = ConfigRefresher(
            source: .cdn(endpoint), configuration: configuration, transport: transport,
            surroundings: Surroundings(time: StepClock()),
            surface: ConfigInstallation.Surface(
                replaceSnapshot: { snapshot in served.withLock { $0 = snapshot } }, hub: EventHub(),
                log: Diagnostics(logger: RecordingLogger(), level: .silent), readiness: Readiness()))
        try await refresher.refresh()
        await refresher.finish()
        // Another process that shares the file, and is behind.
        let copy = DocumentCopy(file: URL(fileURLWithPath: path), identity: endpoint.identity)
        try copy.write(Fixture.data, validators: HTTPValidators())
        let loop = Task { await refresher.run() }
        #expect(await eventually { transport.requests.count == 2 })
        #expect(served.withLock { $0 }?.config.experiences.map(\.key) == ["new"])
        loop.cancel()
        await loop.value
    }

    @Test func aTransportThatCancelsOfItselfIsTriedAgain() async throws {
        let clock = StepClock()
        let transport = ScriptedTransport { _, index in
            if index == 0 { throw CancellationError() }
            return HTTPResponse(status: 200, body: Fixture.data)
        }
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport) { $0.refreshInterval = .zero }
        let error = await #expect(throws: ConvertError.self) { try await sdk.ready() }
        #expect(error?.code == .configUnavailable)
        #expect(await eventually { clock.nextDeadline.map { $0 <= .seconds(2) } ?? false })
        clock.advance(by: .seconds(2))
        #expect(await eventually { sdk.isReady })
    }

    @Test func aShutdownEndsAFetchThatAnAppAskedForAndLetsNoneBegin() async throws {
        transport.gate.open()
        let held = HeldTransport()
        let sdk = Fixture.fetchingSDK(transport: transport) { $0.refreshInterval = .zero }
        try await sdk.ready()
        let later = Fixture.fetchingSDK(transport: held)
        let refresh = Task { try await later.refreshConfig() }
        #expect(await eventually { held.inner.requests.count == 1 })
        for sdk in [sdk, later] { await sdk.shutdown(deadline: .zero) }
        let atShutdown = await #expect(throws: ConvertError.self) { try await refresh.value }
        #expect(atShutdown?.code == .shutDown)
        #expect(await held.cancelled.wait())
        let (before, after) = (transport.inner.requests.count, held.inner.requests.count)
        held.gate.open()
        for sdk in [sdk, later] {
            let error = await #expect(throws: ConvertError.self) { try await sdk.refreshConfig() }
            #expect(error?.code == .shutDown)
        }
        #expect(transport.inner.requests.count == before && held.inner.requests.count == after)
        #expect(!later.isReady)
        let notReady = await #expect(throws: ConvertError.self) { try await later.ready() }
        #expect(notReady?.code == .shutDown)
        // What there was stays.
        try await sdk.ready()
        #expect(sdk.createContext(visitorID: "v1").decide("all").variation != nil)
    }
}
