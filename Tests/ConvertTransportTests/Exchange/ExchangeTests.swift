import ConvertTestServer
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

/// What arrives and what is sent when all goes well.
@Suite(.timeLimit(.minutes(10)))
struct ExchangeTests {
    @Test func sendsMethodHeadersAndBody() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200, body: "ok"))
        defer { server.stop() }
        let response = try await transport.send(
            HTTPRequest(
                method: "POST", url: server.url("/track/key?x=1"),
                headers: ["Content-Type": "application/json", "Authorization": "Bearer secret"], body: Data("{}".utf8),
                timeout: patience))
        #expect(response.status == 200 && response.body == Data("ok".utf8))
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.target == "/track/key?x=1" && request.text == "{}")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["authorization"] == "Bearer secret")
    }

    @Test func aBodyOfUnknownTypeIsNotCalledAForm() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        _ = try await transport.send(
            HTTPRequest(method: "POST", url: server.url(), body: Data([1, 2]), timeout: patience))
        #expect(server.requests.first?.headers["content-type"] == "application/octet-stream")
    }

    @Test func sendsALargeBodyWhole() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        _ = try await transport.send(HTTPRequest(method: "POST", url: server.url(), body: body, timeout: patience))
        #expect(server.requests.first?.body == body)
    }

    @Test func fieldsThatFrameTheMessageAreTheTransports() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        let headers = ["content-length": "7", "Transfer-Encoding": "chunked", "Expect": "100-continue"]
        _ = try await transport.send(
            HTTPRequest(
                method: "POST", url: server.url(), headers: headers, body: Data("event".utf8), timeout: patience))
        let request = try #require(server.requests.first)
        #expect(request.text == "event" && request.headers["content-length"] == "5")
        #expect(request.headers["transfer-encoding"] == nil && request.headers["expect"] == nil)
    }

    @Test func aFieldIsSentOnceAndMayBeEmpty() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        _ = try await transport.send(
            HTTPRequest(url: server.url(), headers: ["X-A": "1", "x-a": "2", "X-B": ""], timeout: patience))
        let request = try #require(server.requests.first)
        #expect(request.headers["x-a"] == "2" && request.headers["x-b"] == "")
    }

    @Test func joinsRepeatedAndFoldedFields() async throws {
        let transport = SystemTransport()
        let head = "HTTP/1.1 200 OK\r\nX-A: one\r\nX-A: two\r\nX-B: one\r\n\t two\r\nX-C:\r\nContent-Length: 0\r\n\r\n"
        let server = try TestServer(ServerResponse([.send(Data(head.utf8))]))
        defer { server.stop() }
        let headers = try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).headers
        #expect(headers["x-a"] == "one, two" && headers["x-b"] == "one two" && headers["x-c"] == "")
    }

    @Test func theResponseToAHEADHasNoBody() async throws {
        let transport = SystemTransport()
        let server = try TestServer(
            ServerResponse([.send(Data("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".utf8))]))
        defer { server.stop() }
        let response = try await transport.send(HTTPRequest(method: "HEAD", url: server.url(), timeout: patience))
        #expect(response.body.isEmpty && response.headers["content-length"] == "99999999999")
    }

    @Test(
        arguments: [200, 204, 206, 300, 304, 400, 401, 403, 404, 407, 408, 410, 429, 500, 503])
    func returnsAResponseOfWhateverStatus(status: Int) async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(status, headers: ["Retry-After": "7"], body: ""))
        defer { server.stop() }
        let response = try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        #expect(response.status == status && response.headers["retry-after"] == "7")
    }

    @Test(
        arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", "Negotiate", "NTLM"])
    func aChallengeForCredentialsIsAResponse(challenge: String) async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(401, headers: ["WWW-Authenticate": challenge], body: "denied"))
        defer { server.stop() }
        let response = try await transport.send(
            HTTPRequest(url: server.url(), headers: ["Authorization": "Bearer secret"], timeout: patience))
        #expect(response.status == 401)
        #expect(server.requests.count == 1)
    }

    @Test func joinsChunks() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.chunked([Data("one".utf8), Data("two".utf8)]))
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).body == Data("onetwo".utf8))
    }

    @Test func decompressesWhatIsCompressed() async throws {
        let transport = SystemTransport()
        let body = Data(String(repeating: "hello ", count: 1000).utf8)
        let server = try TestServer(.status(200, headers: ["Content-Encoding": "gzip"], body: Gzip.compress(body)))
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).body == body)
    }

    @Test func skipsInterimResponses() async throws {
        let transport = SystemTransport()
        let bytes = "HTTP/1.1 103 Early Hints\r\nX: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let server = try TestServer(ServerResponse([.send(Data(bytes.utf8))]))
        defer { server.stop() }
        let response = try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        #expect(response.status == 200 && response.body == Data("ok".utf8))
    }

    @Test func keepsNoCookies() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200, headers: ["Set-Cookie": "a=b; Path=/"]))
        defer { server.stop() }
        _ = try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        _ = try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, nil])
    }

    @Test func keepsNoCopies() async throws {
        let transport = SystemTransport()
        let server = try TestServer(
            .status(200, headers: ["Cache-Control": "max-age=3600", "ETag": "\"a\""], body: "first"),
            .status(200, body: "second"))
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).body == Data("first".utf8))
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).body == Data("second".utf8))
        #expect(server.requests.last?.headers["if-none-match"] == nil)
    }

    @Test func usesAConnectionAgain() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        try await undelayed {
            for _ in 0..<5 { _ = try await transport.send(HTTPRequest(url: server.url(), timeout: patience)) }
        }
        #expect(server.connectionCount == 1)
    }

    @Test func aTransportThatIsGoneLeavesNoConnection() async throws {
        let server = try TestServer(.status(200))
        defer { server.stop() }
        func send() async throws {
            let transport = SystemTransport()
            _ = try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        }
        try await send()
        #expect(await server.waitUntilAlone())
    }

    @Test func manyExchangesAtOnceKeepTheirAnswersApart() async throws {
        let transport = SystemTransport()
        let server = try TestServer { request in .status(200, body: request.target) }
        defer { server.stop() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<300 {
                group.addTask {
                    let response = try await transport.send(
                        HTTPRequest(url: server.url("/\(index)"), timeout: patience))
                    return response.body == Data("/\(index)".utf8)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
