import ConvertConcurrency
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct ConfigStatusTests {
    private let clock = StepClock()
    private let logger = RecordingLogger()
    private let listener = RecordingListener()

    /// An endpoint that answers as `answers` say, one after the other, the last one again and again.
    private func sdk(
        _ answers: HTTPResponse..., configure: (inout SDKConfiguration) -> Void = { _ in }
    ) -> ConvertSDK {
        let transport = ScriptedTransport { _, index in
            guard let answer = answers.prefix(index + 1).last else { throw Failure() }
            return answer
        }
        let sdk = Fixture.fetchingSDK(clock: clock, transport: transport) {
            $0.logger = logger
            $0.logLevel = .info
            $0.refreshInterval = .zero
            configure(&$0)
        }
        sdk.onEvent { listener.take($0) }
        return sdk
    }

    private static let good = HTTPResponse(status: 200, body: Fixture.data)
    private static let down = HTTPResponse(status: 503)

    private var installed: Int { logger.messages.count { $0.message.contains("config installed") } }

    @Test func theSameBytesWithoutAnETagAnnounceNothing() async throws {
        let sdk = sdk(Self.good)
        try await sdk.ready()
        let project = sdk.bases.current.snapshot?.project
        for _ in 0..<3 { try await sdk.refreshConfig() }
        #expect(listener.events == [.ready] && installed == 1)
        #expect(sdk.bases.current.snapshot?.project === project, "nothing is compiled again")
    }

    @Test func otherBytesWithoutAnETagAreANewConfig() async throws {
        let sdk = sdk(Self.good, HTTPResponse(status: 200, body: Fixture.laterData), Self.good)
        try await sdk.ready()
        for _ in 0..<3 { try await sdk.refreshConfig() }
        #expect(listener.events == [.ready, .configUpdated, .configUpdated] && installed == 3)
    }

    @Test func anOutageAndItsEndAreReportedOnceEach() async throws {
        let sdk = sdk(Self.good, Self.down, HTTPResponse(status: 404), Self.good, Self.down, Self.good)
        try await sdk.ready()
        for _ in 0..<5 { _ = try? await sdk.refreshConfig() }
        let events = listener.events
        #expect(events.count == 5 && events.first == .ready)
        #expect(
            events.dropFirst().map { if case .configRefreshFailed = $0 { true } else { false } } == [
                true, false, true, false,
            ])
        #expect(events.filter { $0 == .configRefreshRecovered }.count == 2)
        #expect(logger.messages.count { $0.message.contains("can be fetched again") } == 2)
    }

    @Test func aFailingFirstFetchIsReportedToo() async throws {
        let sdk = sdk(Self.down)
        await #expect(throws: ConvertError.self) { try await sdk.ready() }
        let error = try #require(sdk.configStatus.lastError)
        #expect(listener.events == [.configRefreshFailed(error)] && error.code == .configUnavailable)
        #expect(sdk.configStatus.revision == nil && sdk.configStatus.age == nil && sdk.configStatus.failingSince != nil)
    }

    @Test func theAgeCountsFromTheLastAnswerThatTheConfigIsCurrent() async throws {
        let etag = HTTPResponse(status: 200, headers: ["ETag": "1"], body: Fixture.data)
        let sdk = sdk(etag, HTTPResponse(status: 304), Self.down, Self.good)
        try await sdk.ready()
        #expect(sdk.configStatus.revision == ConfigRevision(of: Fixture.data).description)
        #expect(sdk.configStatus.age == .zero && sdk.configStatus.failingSince == nil)
        clock.advance(by: .seconds(60))
        #expect(sdk.configStatus.age == .seconds(60))
        try await sdk.refreshConfig()
        #expect(sdk.configStatus.age == .zero, "304")
        clock.advance(by: .seconds(70))
        await #expect(throws: ConvertError.self) { try await sdk.refreshConfig() }
        #expect(sdk.configStatus.age == .seconds(70), "503")
        clock.advance(by: .seconds(5))
        try await sdk.refreshConfig()
        #expect(sdk.configStatus.age == .zero, "the same bytes")
    }

    @Test func theStatusSaysSinceWhenFetchesFailAndWhy() async throws {
        let sdk = sdk(Self.good, Self.down, HTTPResponse(status: 404), Self.good)
        try await sdk.ready()
        let start = clock.date
        await #expect(throws: ConvertError.self) { try await sdk.refreshConfig() }
        clock.setDate(start.addingTimeInterval(300))
        let error = await #expect(throws: ConvertError.self) { try await sdk.refreshConfig() }
        #expect(sdk.configStatus.failingSince == start)
        #expect(sdk.configStatus.lastError == error && error?.code == .accessDenied)
        #expect(sdk.configStatus.revision != nil, "the last good config stays")
        try await sdk.refreshConfig()
        #expect(sdk.configStatus.failingSince == nil && sdk.configStatus.lastError == nil)
    }

    @Test func aCopyOnDiskHasNoAgeUntilItIsConfirmed() async throws {
        let path = Fixture.temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = sdk(Self.good) { $0.configCopyFile = URL(fileURLWithPath: path) }
        try await first.ready()
        await first.shutdown()
        let second = sdk(Self.down, Self.good) { $0.configCopyFile = URL(fileURLWithPath: path) }
        try await second.ready()
        #expect(await eventually { second.configStatus.failingSince != nil })
        #expect(second.configStatus.age == nil && second.configStatus.revision != nil)
        try await second.refreshConfig()
        #expect(second.configStatus.age == .zero && second.configStatus.failingSince == nil)
        #expect(installed == 2, "the fetched bytes are those of the copy")
    }

    @Test func aConfigThatTheAppGivesIsCurrentWhenItIsGiven() throws {
        let sdk = try Fixture.sdk(clock: clock)
        #expect(sdk.configStatus.age == .zero && sdk.configStatus.revision == nil)
        clock.advance(by: .seconds(9))
        #expect(sdk.configStatus.age == .seconds(9) && sdk.configStatus.lastError == nil)
    }

    @Test func aFileThatCannotBeReadIsAnOutage() async throws {
        let path = Fixture.temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Fixture.data.write(to: URL(fileURLWithPath: path))
        let sdk = try Fixture.sdk(source: .file(URL(fileURLWithPath: path)), clock: clock)
        sdk.onEvent { listener.take($0) }
        try await sdk.ready()
        try FileManager.default.removeItem(atPath: path)
        _ = try? await sdk.refreshConfig()
        #expect(sdk.configStatus.failingSince != nil)
        #expect(listener.events.contains { if case .configRefreshFailed = $0 { true } else { false } })
    }

    @Test func aShutdownIsNoOutage() async throws {
        let sdk = sdk(Self.good)
        try await sdk.ready()
        await sdk.shutdown()
        await #expect(throws: ConvertError.self) { try await sdk.refreshConfig() }
        #expect(sdk.configStatus.failingSince == nil && sdk.configStatus.revision != nil)
    }
}
