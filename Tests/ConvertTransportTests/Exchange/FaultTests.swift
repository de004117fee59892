import ConvertTestServer
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

/// What a caller sees when the other side fails it.
@Suite(.timeLimit(.minutes(10)))
struct FaultTests {
    /// Responses that can never be complete, by what is wrong with them. Where a client may see two things wrong it
    /// names one.
    static let faults: [(response: ServerResponse, codes: Set<TransportError.Code>)] = [
        (.reset, [.interrupted]),
        (.hangUp, [.interrupted]),
        (.cutShort(body: "", announcing: 100), [.interrupted]),
        (.cutShort(body: "hello", announcing: 100), [.interrupted]),
        (.chunked([Data("ab".utf8)], isTerminated: false), [.interrupted]),
        (cutGzip, [.interrupted]),
        (.status(200, headers: ["Content-Encoding": "gzip"], body: "this is not gzip"), [.malformedResponse]),
        (.status(200, headers: ["Content-Encoding": "gzip"], body: wrongChecksum), [.malformedResponse]),
        (.status(200, headers: ["Content-Encoding": "gzip"], body: twoMembers), [.malformedResponse]),
        (.status(200, headers: ["Content-Encoding": "sdch"], body: "abc"), [.malformedResponse]),
        (.garbage(Data("hello\r\n\r\nworld".utf8)), [.malformedResponse]),
        (.garbage(Data((0..<3000).map { UInt8(truncatingIfNeeded: $0) })), [.malformedResponse]),
        (
            .garbage(Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello".utf8)),
            [.interrupted, .malformedResponse]
        ),
        (.garbage(Data("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello".utf8)), [.malformedResponse]),
    ]

    private static let cutGzip: ServerResponse = {
        let body = Gzip.compress(Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
        return ServerResponse([.send(Data(head.utf8) + body.prefix(body.count / 2)), .close])
    }()

    private static let twoMembers = Gzip.compress(Data("hello".utf8)) + Gzip.compress(Data("world".utf8))

    private static let wrongChecksum = Gzip.compress(Data("hello".utf8)).dropLast(8) + Data(repeating: 1, count: 8)

    @Test(arguments: faults.indices)
    func anIncompleteResponseIsATypedError(index: Int) async throws {
        let transport = transportUnderTest()
        let (answer, codes) = Self.faults[index]
        let server = try TestServer(answer)
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url("/secret-path?token=secret"), timeout: patience))
        }
        #expect(error.map { codes.contains($0.code) } == true, "\(String(describing: error?.code))")
        #expect(error?.status == nil || error?.status == 200)
        #expect(error?.host == "127.0.0.1:\(server.port)")
        #expect(error.map { "\($0)".contains("secret") || $0.localizedDescription.contains("secret") } == false)
    }

    @Test(
        arguments: [
            .cutShort(body: "hello", announcing: 100), .stallAfterHead(announcing: 10),
            .status(200, headers: ["Content-Encoding": "gzip"], body: "this is not gzip"),
            .chunked([Data("ab".utf8)], isTerminated: false), .status(200, body: Data(count: 2000)),
            .endless(Data(count: 500), pause: 0.001),
        ] as [ServerResponse])
    func anErrorAfterTheHeadHasTheStatus(answer: ServerResponse) async throws {
        let server = try TestServer(answer)
        defer { server.stop() }
        let request = HTTPRequest(url: server.url(), timeout: 2, maximumResponseLength: 1000)
        let error = await #expect(throws: TransportError.self) { try await transportUnderTest().send(request) }
        #expect(error?.status == 200)
    }

    @Test(arguments: [ServerResponse.hangUp, .reset, .stall])
    func anErrorBeforeTheHeadHasNoStatus(answer: ServerResponse) async throws {
        let server = try TestServer(answer)
        defer { server.stop() }
        let request = HTTPRequest(url: server.url(), timeout: 1)
        let error = await #expect(throws: TransportError.self) { try await transportUnderTest().send(request) }
        #expect(error != nil && error?.status == nil)
    }

    @Test func aRefusedConnectionIsATypedError() async throws {
        let transport = transportUnderTest()
        let port = try RefusingPort()
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: port.url, timeout: patience))
        }
        #expect(error?.code == .cannotConnect)
    }

    @Test func aNameWithoutAddressIsATypedError() async throws {
        let transport = transportUnderTest()
        let url = try #require(URL(string: "http://nothing.invalid/"))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: url, timeout: patience))
        }
        #expect(error?.code == .hostNotFound)
    }

    @Test func aServerWithoutTLSIsNotTrusted() async throws {
        let transport = transportUnderTest()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: url, timeout: patience))
        }
        #expect(error?.code == .insecureConnection)
    }

    @Test(
        arguments: ["file:///etc/hostname", "data:,x", "ftp://127.0.0.1/", "http:///x", "relative"])
    func whatIsNotHTTPIsNotSent(url: String) async throws {
        let transport = transportUnderTest()
        let url = try #require(URL(string: url))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: url, timeout: patience))
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(arguments: ["GET", "HEAD", "get"])
    func aBodyThatTheMethodDoesNotTakeIsNotSent(method: String) async throws {
        let transport = transportUnderTest()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                HTTPRequest(method: method, url: server.url(), body: Data("event".utf8), timeout: patience))
        }
        #expect(error?.code == .invalidRequest)
        #expect(server.requests.isEmpty)
    }

    @Test(
        arguments: [["X": "a\r\nY: b"], ["X\r\nY": "a"], ["": "a"], ["X": "a\0"], ["a b": "c"]])
    func aHeaderFieldCannotSmuggleAnother(headers: [String: String]) async throws {
        let transport = transportUnderTest()
        let server = try TestServer(.status(200))
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), headers: headers, timeout: patience))
        }
        #expect(error?.code == .invalidRequest)
        #expect(server.requests.isEmpty)
    }

    @Test func worksAgainAfterEveryFault() async throws {
        let transport = transportUnderTest()
        let answers = Self.faults.map(\.response) + [.status(200, body: "well")]
        let server = try TestServer { request in
            Int(request.path.dropFirst()).map { answers[$0] } ?? .status(500)
        }
        defer { server.stop() }
        for index in Self.faults.indices {
            _ = try? await transport.send(HTTPRequest(url: server.url("/\(index)"), timeout: patience))
            let response = try await transport.send(
                HTTPRequest(url: server.url("/\(answers.count - 1)"), timeout: patience))
            #expect(response.body == Data("well".utf8))
        }
    }

    @Test func aServerThatComesBackIsReachedAgain() async throws {
        let transport = transportUnderTest()
        let server = try TestServer(
            ServerResponse([.send(Data("HTTP/1.1 204 No\r\nConnection: close\r\n\r\n".utf8)), .close]))
        defer { server.stop() }
        let request = HTTPRequest(url: server.url(), timeout: patience)
        #expect(try await transport.send(request).status == 204)
        server.refuseConnections()
        await #expect(throws: TransportError.self) { try await transport.send(request) }
        try server.acceptConnectionsAgain()
        #expect(try await transport.send(request).status == 204)
    }

    @Test func errorsSayWhatWhereAndWhatToDo() {
        let codes: [TransportError.Code] = [
            .invalidRequest, .hostNotFound, .cannotConnect, .insecureConnection, .timedOut, .interrupted,
            .responseTooLong, .malformedResponse, .other,
        ]
        let errors = codes.map { TransportError($0, host: "example.com:8080", underlyingCode: 7) }
        #expect(Set(errors.map(\.description)).count == codes.count)
        #expect(errors.allSatisfy { $0.description.contains(" (example.com:8080) [7]: ") })
        #expect(errors.allSatisfy { $0.localizedDescription == $0.description })
    }

    @Test func descriptionsShowNoSecrets() throws {
        let url = try #require(URL(string: "https://secret-user:secret-word@host/secret-path?secret=1"))
        let request = HTTPRequest(
            method: "POST", url: url, headers: ["Authorization": "Bearer secret"], body: Data("secret".utf8),
            timeout: patience)
        let response = HTTPResponse(status: 200, headers: ["set-cookie": "secret"], body: Data("secret".utf8))
        var dumped = ""
        dump(request, to: &dumped)
        dump(response, to: &dumped)
        let described =
            "\(request) \(String(reflecting: request)) \(response) \(String(reflecting: response)) \(dumped)"
        #expect(!described.contains("secret"))
        #expect("\(request)" == "POST https://host [Authorization] 6 bytes")
    }
}
