import ConvertTestServer
import ConvertTransport
import Foundation
import Testing

/// Time, length and cancellation.
@Suite(.timeLimit(.minutes(10)))
struct BoundsTests {
    static let slowAnswers: [ServerResponse] = [
        .stall, .stallAfterHead(announcing: 10), .drip(body: String(repeating: "slow ", count: 4000), pause: 0.05),
        .status(200, body: "late").delayed(by: 1000),
    ]

    @Test(arguments: slowAnswers.indices)
    func theTimeoutIsForTheWholeExchange(index: Int) async throws {
        let transport = SystemTransport()
        let server = try TestServer(Self.slowAnswers[index])
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), timeout: 0.2))
        }
        #expect(error?.code == .timedOut)
        #expect(await server.waitUntilAlone(), "the connection is given up too")
    }

    @Test func redirectsShareOneTimeout() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.redirect(to: "/on").delayed(by: 1.5))
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), timeout: 2))
        }
        #expect(error?.code == .timedOut)
        #expect(server.requests.count < 6, "fewer than the redirects that are followed")
    }

    @Test(arguments: [0, -1, Double.nan, -Double.infinity])
    func noTimeIsAnError(timeout: Double) async throws {
        let transport = SystemTransport()
        let server = try TestServer(.stall)
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), timeout: timeout))
        }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [Double.infinity, .greatestFiniteMagnitude, 1e300])
    func allTheTimeInTheWorldIsFine(timeout: Double) async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: timeout)).status == 200)
    }

    @Test func aBodyOfExactlyTheLimitIsAccepted() async throws {
        let transport = SystemTransport()
        let body = Data(repeating: 7, count: 100_000)
        let server = try TestServer { $0.path == "/chunked" ? .chunked([body]) : .status(200, body: body) }
        defer { server.stop() }
        for path in ["/", "/chunked"] {
            let exact = HTTPRequest(url: server.url(path), timeout: patience, maximumResponseLength: body.count)
            #expect(try await transport.send(exact).body == body)
            let short = HTTPRequest(url: server.url(path), timeout: patience, maximumResponseLength: body.count - 1)
            let error = await #expect(throws: TransportError.self) { try await transport.send(short) }
            #expect(error?.code == .responseTooLong)
        }
    }

    static let endlessAnswers: [ServerResponse] = [
        .endless(Data(count: 1 << 16), pause: 0.001),
        ServerResponse([
            .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n".utf8)),
            .sendForever(Data(count: 1 << 16), pause: 0.001),
        ]),
        ServerResponse([
            .send(Data("HTTP/1.1 200 OK\r\n\r\n".utf8)), .sendForever(Data(count: 1 << 16), pause: 0.001),
        ]),
    ]

    @Test(arguments: endlessAnswers.indices)
    func anEndlessBodyIsGivenUpAtTheLimit(index: Int) async throws {
        let transport = SystemTransport()
        let server = try TestServer(Self.endlessAnswers[index])
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), timeout: patience, maximumResponseLength: 1 << 20))
        }
        #expect(error?.code == .responseTooLong)
        #expect(await server.waitUntilAlone())
        // What the limit lets in, and what fits into the sockets' buffers.
        #expect(server.bytesSent < 64 << 20)
    }

    @Test func aFloodHoldsUpNothingElse() async throws {
        let transport = SystemTransport()
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n".utf8)
        let flood = try TestServer(ServerResponse([.send(head + Data(count: 64 << 20)), .stall]))
        let server = try TestServer(.status(200))
        defer {
            flood.stop()
            server.stop()
        }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: flood.url(), timeout: patience, maximumResponseLength: 1 << 20))
        }
        #expect(error?.code == .responseTooLong)
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).status == 200)
        #expect(await flood.waitUntilAlone(), "the connection is given up too")
    }

    @Test func endlessHeadersAreGivenUp() async throws {
        let transport = SystemTransport()
        let server = try TestServer(
            ServerResponse([
                .send(Data("HTTP/1.1 200 OK\r\n".utf8)),
                .sendForever(Data("X-A: \(String(repeating: "a", count: 999))\r\n".utf8)),
            ]))
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        }
        #expect(error?.code == .malformedResponse)
        #expect(await server.waitUntilAlone())
    }

    @Test func aDecompressionBombIsGivenUpAtTheLimit() async throws {
        let transport = SystemTransport()
        let bomb = Gzip.compress(Data(count: 20 << 20))
        let server = try TestServer(.status(200, headers: ["Content-Encoding": "gzip"], body: bomb))
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), timeout: patience, maximumResponseLength: 1 << 20))
        }
        #expect(error?.code == .responseTooLong)
    }

    @Test(arguments: slowAnswers.indices)
    func cancellingTheTaskEndsTheExchange(index: Int) async throws {
        let transport = SystemTransport()
        let server = try TestServer(Self.slowAnswers[index])
        defer { server.stop() }
        let exchange = Task { try await transport.send(HTTPRequest(url: server.url(), timeout: patience)) }
        #expect(await server.waitForRequests(1))
        exchange.cancel()
        await #expect(throws: CancellationError.self) { try await exchange.value }
        #expect(await server.waitUntilAlone())
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        let exchange = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        }
        await #expect(throws: CancellationError.self) { try await exchange.value }
        #expect(server.requests.isEmpty)
    }

    @Test func cancellingAtAnyMomentEndsEveryExchange() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200, body: "ok"))
        defer { server.stop() }
        await withTaskGroup { group in
            for index in 0..<200 {
                group.addTask {
                    let exchange = Task { try await transport.send(HTTPRequest(url: server.url(), timeout: patience)) }
                    for _ in 0..<(index % 50) { await Task.yield() }
                    exchange.cancel()
                    _ = await exchange.result
                }
            }
        }
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).status == 200)
    }
}
