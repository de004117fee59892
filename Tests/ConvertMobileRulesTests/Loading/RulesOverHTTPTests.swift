import ConvertECMAScript
import ConvertMobileRules
import ConvertTestServer
import ConvertTestSupport
import ConvertTransport
import Foundation
import ConvertConcurrency
import Testing

/// Real requests to a real server on loopback.
struct RulesOverHTTPTests {
    @Test func rulesAreFetchedKeptRevalidatedAndSurviveTheServersEnd() async throws {
        try await undelayed {
            let folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let cache = RulesCache(folder: folder)
            let archive = try Self.archive("a")
            let answer = Mutex(ServerResponse.status(200, headers: ["ETag": "\"1\""], body: archive))
            let server = try TestServer { request in
                request.headers["if-none-match"] == "\"1\"" ? .status(304) : answer.withLock { $0 }
            }
            defer { server.stop() }
            let source = RulesSource.url(server.url("/rules.zip"))
            let transport = SystemTransport()

            let engine = MobileRulesEngine()
            let loader = RulesLoader(engine: engine, source: source, transport: transport, cache: cache)
            #expect(engine.process(event()).isWaiting)
            #expect(try await loader.start() == .loaded)
            #expect(try await loader.refresh() == .notModified)
            #expect(engine.evaluate(event()).map(\.id) == ["a"])

            // A restart asks with the cached validators.
            let restarted = MobileRulesEngine()
            let second = RulesLoader(engine: restarted, source: source, transport: transport, cache: cache)
            #expect(try await second.start() == .notModified)
            #expect(restarted.evaluate(event()).map(\.id) == ["a"])

            // Without the cache there is nothing to ask with, so the server's new and bad answer arrives.
            answer.withLock { $0 = .status(200, body: "<html>maintenance</html>") }
            let bad = RulesLoader(engine: restarted, source: source, transport: transport)
            await #expect(throws: MobileRulesError.self) { try await bad.refresh() }
            #expect(restarted.evaluate(event()).map(\.id) == ["a"])

            server.stop()
            let offline = MobileRulesEngine()
            let third = RulesLoader(engine: offline, source: source, transport: transport, cache: cache)
            let error = await #expect(throws: MobileRulesError.self) { try await third.start() }
            #expect(error?.code == .unreachable)
            #expect(offline.evaluate(event()).map(\.id) == ["a"])
        }
    }

    static let bad: [ServerResponse] = [
        .status(200, body: "<html>maintenance</html>"), .status(200, body: "PK\u{3}\u{4}no archive"), .status(200),
        .status(404), .status(410, body: "gone"), .status(503), .cutShort(body: "PK", announcing: 10_000),
        .redirect(to: "http://rules.example/elsewhere"), .status(200, headers: ["ETag": "\"2\""], body: "{}"),
    ]

    /// Whatever the server says after the first answer, the rules stay, also over a restart.
    @Test(arguments: bad.indices) func aServerThatTurnsBadTakesNothingAway(index: Int) async throws {
        try await undelayed {
            let folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let cache = RulesCache(folder: folder)
            let archive = try Self.archive("a")
            let isBad = Mutex(false)
            let server = try TestServer { _ in
                isBad.withLock { $0 } ? Self.bad[index] : .status(200, headers: ["ETag": "\"1\""], body: archive)
            }
            defer { server.stop() }
            let source = RulesSource.url(server.url("/rules.zip"))
            let engine = MobileRulesEngine()
            let loader = RulesLoader(engine: engine, source: source, transport: SystemTransport(), cache: cache)
            try await loader.start()
            isBad.withLock { $0 = true }
            await #expect(throws: MobileRulesError.self) { try await loader.refresh() }
            #expect(engine.evaluate(event()).map(\.id) == ["a"])

            let restarted = MobileRulesEngine()
            let second = RulesLoader(engine: restarted, source: source, transport: SystemTransport(), cache: cache)
            let error = await #expect(throws: MobileRulesError.self) { try await second.start() }
            #expect(error?.message.isEmpty == false)
            #expect(restarted.evaluate(event()).map(\.id) == ["a"])

            // Once the server works again, it is asked with the cached validators, and serves the same bytes.
            isBad.withLock { $0 = false }
            #expect(try await second.refresh() == .notModified)
            #expect(server.requests.last?.headers["if-none-match"] == "\"1\"")
        }
    }

    @Test func aPostbackArrives() async throws {
        let server = try TestServer { _ in .status(204) }
        defer { server.stop() }
        let sender = SignalSender(transport: SystemTransport())
        let url = JSValue.string(server.url("/p").absoluteString + "?q={%urlenc(a)%}")
        let engine = try engine(rule(always, consequence("p", "pb", ["templateurl": url, "templatebody": "b={%a%}"]))) {
            $0.handlers["pb"] = sender
        }
        engine.process(event(["a": "x&y"]))
        await sender.flush()
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/p?q=x%26y")
        #expect(request.text == "b=x&y")
    }

    private static func archive(_ id: String) throws -> Data {
        let json = try rulesJSON([rule(always, consequence(id))])
        return ZIPWriter().archive(ZIPWriter.File("rules.json", String(decoding: json, as: UTF8.self)))
    }
}
