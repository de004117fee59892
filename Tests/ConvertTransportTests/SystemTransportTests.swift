import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertTransport

/// Headers that end early, late or never, connections that are shared, and what a seeded generator makes of responses.
@Suite(.timeLimit(.minutes(10)))
struct SystemTransportTests {
    let transport = SystemTransport()

    static let heads = [
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n",
        "HTTP/1.0 404 Not Found\nX-A: b\n\n",
    ]

    @Test(arguments: heads, [ServerResponse.Step.close, .reset])
    func aConnectionThatEndsAnywhereInTheHeaderIsAnError(head: String, ending: ServerResponse.Step) async throws {
        let head = Data(head.utf8)
        let server = try TestServer { request in
            ServerResponse([.send(head.prefix(Int(request.path.dropFirst()) ?? 0)), ending])
        }
        defer { server.stop() }
        for count in 0..<head.count {
            let error = await #expect(throws: TransportError.self, "cut after \(count) bytes") {
                try await transport.send(HTTPRequest(url: server.url("/\(count)"), timeout: patience))
            }
            #expect(error?.code == .interrupted || error?.code == .malformedResponse, "cut after \(count) bytes")
        }
    }

    @Test func linesAfterAChunkedBodyAreNoHeaderFields() async throws {
        let bytes =
            "HTTP/1.1 200 OK\r\nX-A: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-A: b\r\nX-C: d\r\n\r\n"
        let server = try TestServer(ServerResponse([.send(Data(bytes.utf8))]))
        defer { server.stop() }
        try await undelayed {
            for _ in 0..<2 {
                let response = try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
                #expect(response.body == Data("ok".utf8))
                #expect(response.headers["x-a"] == "a" && response.headers["x-c"] == nil)
            }
        }
        #expect(server.connectionCount == 1)
    }

    @Test func fieldsNeedNotBeUTF8() async throws {
        let bytes = Data("HTTP/1.1 200 OK\r\nX-A: caf".utf8) + [0xE9] + Data("\r\nContent-Length: 0\r\n\r\n".utf8)
        let server = try TestServer(ServerResponse([.send(bytes)]))
        defer { server.stop() }
        #expect(
            try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).headers["x-a"] == "caf\u{FFFD}")
    }

    @Test func aHeaderOfExactlyTheLimitIsAccepted() async throws {
        // Every line has 64 bytes, and so have the first ones together with the last.
        let line = "X-A: \(String(repeating: "a", count: 57))\r\n"
        let server = try TestServer { request in
            let padding = String(repeating: "b", count: request.path == "/long" ? 20 : 19)
            let start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-B: \(padding)\r\n"
            let lines = String(repeating: line, count: ResponseHeadReader.longestLength / 64 - 1)
            return ServerResponse([.send(Data("\(start)\(lines)\r\n".utf8))])
        }
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(url: server.url("/exact"), timeout: patience)).status == 200)
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url("/long"), timeout: patience))
        }
        #expect(error?.code == .malformedResponse)
    }

    static let endlessHeaders: [(start: String, block: String)] = [
        ("HTTP/1.1 200 OK\r\nX-A: ", String(repeating: "a", count: 999)),
        ("HTTP/1.1 200 OK\r\n", "X\r\n"),
        ("HTTP/1.1 200 OK\r\nX-A: b\r\n", " folded\r\n"),
        ("", "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n", "X-A: b\r\n"),
    ]

    @Test(arguments: endlessHeaders.indices)
    func aHeaderWithoutEndIsGivenUp(index: Int) async throws {
        let (start, block) = Self.endlessHeaders[index]
        let server = try TestServer(
            ServerResponse([
                .send(Data(start.utf8)), .sendForever(Data(String(repeating: block, count: 100).utf8)),
            ]))
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        }
        #expect(error?.code == .malformedResponse)
        #expect(await server.waitUntilAlone())
    }

    @Test func aHostGetsNoMoreConnectionsThanAllowed() async throws {
        let transport = SystemTransport(connectionsPerHost: 3)
        let server = try TestServer(.status(200).delayed(by: 0.01))
        defer { server.stop() }
        try await withThrowingTaskGroup { group in
            for _ in 0..<30 {
                group.addTask { _ = try await transport.send(HTTPRequest(url: server.url(), timeout: patience)) }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 30)
        #expect((1...3).contains(server.connectionCount))
    }

    @Test func theTimeoutIsForTheWaitForAConnectionToo() async throws {
        let transport = SystemTransport(connectionsPerHost: 1)
        let server = try TestServer(.stall, .status(200))
        defer { server.stop() }
        let stalled = Task { try await transport.send(HTTPRequest(url: server.url(), timeout: patience)) }
        #expect(await server.waitForRequests(1))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), timeout: 0.2))
        }
        #expect(error?.code == .timedOut)
        stalled.cancel()
        await #expect(throws: CancellationError.self) { try await stalled.value }
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).status == 200)
    }

    @Test func aTransportMayGoWhileItsLastExchangeEnds() async throws {
        let server = try TestServer(.status(200, body: "ok"))
        defer { server.stop() }
        for _ in 0..<100 {
            let response = try await SystemTransport().send(HTTPRequest(url: server.url(), timeout: patience))
            #expect(response.body == Data("ok".utf8))
        }
        #expect(await server.waitUntilAlone())
    }

    @Test(arguments: 0..<20)
    func anyInputIsAResponseOrATypedError(seed: Int) async throws {
        let server = try TestServer { request in
            var generator = SeededGenerator(seed: seed * 1000 + (Int(request.path.dropFirst()) ?? 0))
            return ServerResponse([.send(Self.damaged(&generator)), generator.happens(80) ? .close : .reset])
        }
        defer { server.stop() }
        for index in 0..<50 {
            do {
                let response = try await transport.send(HTTPRequest(url: server.url("/\(index)"), timeout: patience))
                #expect((200...999).contains(response.status), "seed \(seed), response \(index)")
            } catch {
                let code = (error as? TransportError)?.code
                #expect(
                    code == .interrupted || code == .malformedResponse, "seed \(seed), response \(index): \(error)")
            }
        }
    }

    /// A response in which bytes were changed, left out or put in.
    private static func damaged(_ generator: inout SeededGenerator) -> Data {
        let zipped = Gzip.compress(Data("hello hello hello".utf8))
        let chunked = Data("2\r\nab\r\n3;x=y\r\ncde\r\n0\r\nX-Trailer: z\r\n\r\n".utf8)
        var bytes = generator.pick([
            Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\nhello".utf8),
            Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Trailer\r\n\r\n".utf8) + chunked,
            Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8) + zipped,
            Data("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.0 404 Not Found\r\nX: y\r\n  z\r\n\r\n".utf8),
        ])
        for _ in 0..<generator.int(1...6) where !bytes.isEmpty {
            let position = generator.int(0...bytes.count - 1)
            switch generator.int(0...3) {
            case 0: bytes[position] = UInt8(generator.int(0...255))
            case 1: bytes.insert(generator.pick(Array("\r\n :0\0".utf8)), at: position)
            case 2: bytes.remove(at: position)
            default: bytes = generator.happens(20) ? Data(bytes.prefix(position)) : bytes
            }
        }
        return bytes
    }
}
