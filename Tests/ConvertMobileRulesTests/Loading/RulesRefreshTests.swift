import ConvertTestSupport
import ConvertConcurrency
import ConvertECMAScript
import ConvertTransport
import Foundation
import Testing

@testable import ConvertMobileRules

struct RulesRefreshTests: RulesLoading {
    /// Answers when a test lets it; a cancelled request ends with an error.
    private final class WaitingTransport: HTTPTransport {
        let answer: HTTPResponse
        let sent = Log<String>()
        private let gate = AsyncStream<Void>.makeStream()

        init(_ answer: HTTPResponse) { self.answer = answer }

        func open() { gate.continuation.finish() }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            sent.append(request.url.absoluteString)
            for await _ in gate.stream {}
            try Task.checkCancellation()
            return answer
        }

        func waitUntilSent() async throws {
            while sent.entries.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test(.timeLimit(.minutes(10))) func aRefreshEndsWhenItsLastWaiterIsCancelled() async throws {
        let transport = WaitingTransport(HTTPResponse(status: 200, headers: [:], body: try archive("a")))
        let engine = try engine(rule(always, consequence("old")))
        let loader = RulesLoader(engine: engine, source: .url(endpoint), transport: transport, time: StepClock())
        let refresh = Task { try await loader.refresh() }
        try await transport.waitUntilSent()
        refresh.cancel()
        let error = await #expect(throws: MobileRulesError.self) { try await refresh.value }
        #expect(error?.code == .cancelled)
        #expect(ids(engine) == ["old"])
    }

    @Test(.timeLimit(.minutes(10))) func aRefreshThatSomebodyElseWaitsForGoesOn() async throws {
        let transport = WaitingTransport(HTTPResponse(status: 200, headers: [:], body: try archive("a")))
        let engine = MobileRulesEngine()
        let loader = RulesLoader(engine: engine, source: .url(endpoint), transport: transport, time: StepClock())
        let first = Task { try await loader.refresh() }
        try await transport.waitUntilSent()
        let second = Task { try await loader.refresh() }
        // Both have to wait before one of them leaves.
        while await loader.callerCount < 2 { try await Task.sleep(for: .milliseconds(1)) }
        first.cancel()
        while await loader.callerCount > 1 { try await Task.sleep(for: .milliseconds(1)) }
        transport.open()
        #expect(try await second.value == .loaded)
        #expect(ids(engine) == ["a"])
        #expect(transport.sent.entries.count == 1)
    }

    /// Answers from a script; a request for which it has `nil` waits for its answer, however long its task is
    /// cancelled.
    private actor LateTransport: HTTPTransport {
        private var script: [HTTPResponse?]
        private(set) var requests: [HTTPRequest] = []
        private var late: CheckedContinuation<HTTPResponse, Never>?

        init(_ script: HTTPResponse?...) { self.script = script }

        var isWaiting: Bool { late != nil }

        func answer(_ response: HTTPResponse) { late?.resume(returning: response) }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            requests.append(request)
            return script.isEmpty ? HTTPResponse(status: 500, headers: [:], body: Data()) : await next()
        }

        private func next() async -> HTTPResponse {
            if let response = script.removeFirst() { return response }
            return await withCheckedContinuation { late = $0 }
        }
    }

    @Test(.timeLimit(.minutes(10))) func aCallForAFormerPlaceGetsTheRulesOfTheNewOne() async throws {
        let place = try #require(URL(string: "https://rules.example/c.json"))
        let (asked, archive) = (Latch(), try archive("new"))
        let transport = ScriptedTransport { request, index in
            if request.url == place {
                let json = #"{"rules.url": "https://rules.example/\#(min(index, 1))"}"#
                return HTTPResponse(status: 200, body: Data(json.utf8))
            }
            if request.url.lastPathComponent == "1" { return HTTPResponse(status: 200, body: archive) }
            asked.open()
            _ = await Latch().wait()
            throw CancellationError()
        }
        let engine = MobileRulesEngine()
        let loader = RulesLoader(
            engine: engine, source: .configuration(.url(place)), transport: transport, time: StepClock())
        let first = Task { try await loader.refresh() }
        #expect(await asked.wait())
        #expect(try await loader.refresh() == .loaded)
        _ = try await first.value
        #expect(ids(engine) == ["new"])
    }

    @Test func rulesWhoseURLIsSignedAnewEachTimeTakeEachOthersPlaceOnDisk() async throws {
        try await withCache { cache in
            let place = try #require(URL(string: "https://rules.example/c.json"))
            let archive = try archive("a")
            let transport = ScriptedTransport { request, index in
                guard request.url == place else { return HTTPResponse(status: 200, body: archive) }
                let json = #"{"rules.url": "https://rules.example/r.zip?signature=\#(index)"}"#
                return HTTPResponse(status: 200, body: Data(json.utf8))
            }
            let loader = RulesLoader(
                engine: MobileRulesEngine(), source: .configuration(.url(place)), transport: transport, cache: cache)
            #expect(try await loader.refresh() == .loaded)
            for _ in 0..<4 { #expect(try await loader.refresh() == .notModified) }
            #expect(Set(transport.requests.map(\.url)).count == 6)
            #expect(try FileManager.default.contentsOfDirectory(atPath: cache.folder.path).count == 2)
        }
    }

    @Test func theSameBytesWithoutAnETagLeaveTheRulesAsTheyAre() async throws {
        try await withCache { cache in
            let engine = MobileRulesEngine()
            let transport = ScriptedTransport(.status(200, try archive("a")))
            let loader = RulesLoader(engine: engine, source: .url(endpoint), transport: transport, cache: cache)
            #expect(try await loader.start() == .loaded)
            // What the app adds is gone if the rules are replaced.
            engine.addRules(try document(rule(always, consequence("added"))))
            for _ in 0..<2 { #expect(try await loader.refresh() == .notModified) }
            #expect(ids(engine) == ["a", "added"])
            let restarted = RulesLoader(
                engine: MobileRulesEngine(), source: .url(endpoint), transport: transport, cache: cache)
            #expect(try await restarted.start() == .notModified, "they are those of the copy")
        }
    }

    @Test func aFileOrDataThatIsTheSameLeavesTheRulesAsTheyAre() async throws {
        try await withCache { cache in
            try FileManager.default.createDirectory(at: cache.folder, withIntermediateDirectories: true)
            let file = cache.folder.appending(path: "rules.zip")
            try archive("a").write(to: file)
            for source in [RulesSource.file(file), .data(try archive("a"))] {
                let engine = MobileRulesEngine()
                let loader = RulesLoader(engine: engine, source: source)
                #expect(try await loader.start() == .loaded)
                engine.addRules(try document(rule(always, consequence("added"))))
                #expect(try await loader.refresh() == .notModified)
                #expect(ids(engine) == ["a", "added"])
            }
        }
    }

    @Test func theStatusSaysHowCurrentTheRulesAreAndSinceWhenLoadsFail() async throws {
        let clock = StepClock()
        let transport = ScriptedTransport(
            .status(200, try archive("a")), .status(503), .unreachable, .status(200, try archive("a")))
        let loader = RulesLoader(
            engine: MobileRulesEngine(), source: .url(endpoint), transport: transport, time: clock)
        #expect(loader.status.age == nil && loader.status.failingSince == nil)
        try await loader.start()
        clock.advance(by: .seconds(60))
        #expect(loader.status.age == .seconds(60))
        let start = clock.date
        await #expect(throws: MobileRulesError.self) { try await loader.refresh() }
        clock.setDate(start.addingTimeInterval(9))
        let error = await #expect(throws: MobileRulesError.self) { try await loader.refresh() }
        #expect(loader.status.failingSince == start && loader.status.lastError == error)
        #expect(loader.status.age == .seconds(60))
        try await loader.refresh()
        #expect(loader.status.age == .zero && loader.status.failingSince == nil && loader.status.lastError == nil)
    }

    @Test(.timeLimit(.minutes(10))) func aLateAnswerDoesNotSpeakOfTheRulesThatCameMeanwhile() async throws {
        try await withCache { cache in
            let engine = MobileRulesEngine()
            let transport = LateTransport(
                HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: try archive("a")), nil,
                HTTPResponse(status: 200, headers: ["ETag": "\"2\""], body: try archive("b")))
            let loader = RulesLoader(
                engine: engine, source: .url(endpoint), transport: transport, cache: cache, time: StepClock())
            try await loader.start()
            let late = Task { try await loader.refresh() }
            while await !transport.isWaiting { try await Task.sleep(for: .milliseconds(1)) }
            late.cancel()
            while await loader.callerCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await loader.refresh() == .loaded)
            await transport.answer(HTTPResponse(status: 304, headers: [:], body: Data()))
            await #expect(throws: MobileRulesError.self) { try await late.value }
            #expect(ids(engine) == ["b"])
            #expect((try cache.copy(of: endpoint).read(limit: 1 << 20)?.validators.etag == "\"2\""))
            await #expect(throws: MobileRulesError.self) { try await loader.refresh() }
            #expect(await transport.requests.last?.headers["If-None-Match"] == "\"2\"")
        }
    }
}
