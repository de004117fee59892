import ConvertRemoteEvaluation
import ConvertSwiftSDK
import ConvertTesting
import ConvertTestSupport
import Testing

struct ConfigChangeTests {
    private let clock = StepClock()
    private let sdk: ConvertSDK
    private let remote: RemoteEvaluation

    init() throws {
        sdk = ConvertSDK(testing: try TestProject(json: Flags.config))
        var configuration = RemoteEvaluationConfiguration()
        configuration.limits.streams = 3
        remote = RemoteEvaluation(sdk: sdk, configuration: configuration, time: clock)
    }

    private func open(
        _ query: String = "", _ headers: [(name: String, value: String)] = []
    ) throws -> ConfigChangeStream {
        let response = remote.respondWithoutLoading(
            to: RemoteEvaluationRequest(method: "GET", path: "/ofrep/v1/changes" + query, headers: headers))
        #expect(response.status == 200 && response.headers.contains { $0.value == "text/event-stream" })
        guard case .changes(let stream) = response.body else { throw NoStream() }
        return stream
    }

    private struct NoStream: Error {}

    private static func text(_ chunk: [UInt8]?) -> String { String(decoding: chunk ?? [], as: UTF8.self) }

    private func change(_ name: String) throws {
        sdk.replaceProject(with: try TestProject(json: Flags.config.replacing("\"on\"", with: "\"\(name)\"")))
    }

    /// The tag that the latest bulk answer gives the config.
    private func tag() throws -> String {
        let answer = try Answer(
            remote.respondWithoutLoading(
                to: RemoteEvaluationRequest(
                    method: "POST", path: "/ofrep/v1/evaluate/flags",
                    body: Array(#"{"context":{"targetingKey":"v"}}"#.utf8))))
        let streams = try #require(answer["eventStreams"]?.arrayValue)
        let target = streams.first?.objectValue?["endpoint"]?.objectValue?["requestUri"]?.stringValue
        return String(try #require(target?.split(separator: "=").last))
    }

    @Test func aStreamBeginsWithACommentAndTellsOfANewConfig() async throws {
        var chunks = try open().makeAsyncIterator()
        #expect(Self.text(await chunks.next()) == ": \n\n")
        try change("new")
        let tag = try tag()
        #expect(
            Self.text(await chunks.next()) == """
                id: \(tag)
                event: message
                data: {"type":"refetchEvaluation","etag":"\(tag)"}


                """)
    }

    @Test func aClientWithAnOlderConfigGetsAMessageAtOnce() async throws {
        let old = try tag()
        try change("new")
        for stream in [try open("?since=\(old)"), try open("", [("Last-Event-ID", old)])] {
            var chunks = stream.makeAsyncIterator()
            #expect(Self.text(await chunks.next()).contains("refetchEvaluation"))
        }
        var chunks = try open("?since=\(tag())").makeAsyncIterator()
        #expect(Self.text(await chunks.next()) == ": \n\n")
    }

    @Test func aSlowReaderGetsOneEventForAllChanges() async throws {
        var chunks = try open().makeAsyncIterator()
        _ = await chunks.next()
        for name in ["a", "b", "c"] { try change(name) }
        #expect(Self.text(await chunks.next()).hasPrefix("id: \(try tag())\n"))
        await sdk.shutdown(deadline: .zero)
        #expect(await chunks.next() == nil)
    }

    @Test func anIdleStreamIsKeptAlive() async throws {
        var chunks = try open().makeAsyncIterator()
        _ = await chunks.next()
        #expect(await eventually { clock.isAwaited(in: .seconds(15)) })
        clock.advance(by: .seconds(15))
        #expect(Self.text(await chunks.next()) == ": \n\n")
    }

    @Test func theSDKsShutdownEndsStreams() async throws {
        var chunks = try open().makeAsyncIterator()
        _ = await chunks.next()
        await sdk.shutdown(deadline: .zero)
        #expect(await chunks.next() == nil)
        var late = try open().makeAsyncIterator()
        _ = await late.next()
        #expect(await late.next() == nil)
    }

    @Test func aStreamThatTheServerEndsHandsOutItsPendingEvent() async throws {
        let stream = try open()
        var chunks = stream.makeAsyncIterator()
        _ = await chunks.next()
        try change("new")
        stream.end()
        #expect(Self.text(await chunks.next()).contains("refetchEvaluation"))
        #expect(await chunks.next() == nil)
    }

    @Test func theNumberOfOpenStreamsIsBounded() throws {
        var streams = [try open(), try open(), try open()]
        func status() -> Int {
            remote.respondWithoutLoading(to: RemoteEvaluationRequest(method: "GET", path: "/ofrep/v1/changes")).status
        }
        #expect(status() == 429)
        streams.removeLast()
        #expect(status() == 200)
    }

    @Test func aThousandStreamsAreAllTold() async throws {
        let remote = RemoteEvaluation(sdk: sdk)
        let streams = (0..<1_000).compactMap { _ -> ConfigChangeStream? in
            let request = RemoteEvaluationRequest(method: "GET", path: "/ofrep/v1/changes")
            guard case .changes(let stream) = remote.respondWithoutLoading(to: request).body else { return nil }
            return stream
        }
        #expect(streams.count == 1_000)
        var iterators = streams.map { $0.makeAsyncIterator() }
        for index in iterators.indices { _ = await iterators[index].next() }
        try change("new")
        for index in iterators.indices {
            #expect(Self.text(await iterators[index].next()).contains("refetchEvaluation"))
        }
    }
}
