import ConvertTestServer
import ConvertTransport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ConditionalGETTests {
    /// A server whose document has the entity tag `"v1"`.
    static func document() throws -> TestServer {
        try TestServer { request in
            let validators: KeyValuePairs = ["ETag": "\"v1\"", "Last-Modified": "Sat, 01 Feb 2025 00:00:00 GMT"]
            return request.headers["if-none-match"] == "\"v1\""
                ? .status(304, headers: validators) : .status(200, headers: validators, body: "document")
        }
    }

    @Test func asksWithTheValidatorsThatCameWithTheCopy() async throws {
        let transport = SystemTransport()
        let server = try Self.document()
        defer { server.stop() }
        let request = HTTPRequest(url: server.url(), timeout: patience)
        guard
            case .modified(let response, let validators) = try await transport.send(
                ConditionalGET(request, validators: nil))
        else { throw Unexpected() }
        #expect(response.body == Data("document".utf8))
        #expect(validators.etag == "\"v1\"")
        let outcome = try await transport.send(ConditionalGET(request, validators: validators))
        #expect(outcome == .notModified(validators))
        #expect(server.requests.last?.headers["if-modified-since"] == "Sat, 01 Feb 2025 00:00:00 GMT")
    }

    @Test func leavesOutWhatIsUnknown() async throws {
        let transport = SystemTransport()
        let server = try Self.document()
        defer { server.stop() }
        let request = HTTPRequest(url: server.url(), timeout: patience)
        _ = try await transport.send(ConditionalGET(request, validators: nil))
        _ = try await transport.send(ConditionalGET(request, validators: HTTPValidators(etag: "\"v0\"")))
        _ = try await transport.send(ConditionalGET(request, validators: HTTPValidators(lastModified: "yesterday")))
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v0\"", nil])
        #expect(server.requests.map { $0.headers["if-modified-since"] } == [nil, nil, "yesterday"])
    }

    @Test func a304WithoutACopyIsAFailure() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(304))
        defer { server.stop() }
        let get = ConditionalGET(
            HTTPRequest(url: server.url(), headers: ["If-None-Match": "*"], timeout: patience), validators: nil)
        guard case .failed(let response) = try await transport.send(get) else { throw Unexpected() }
        #expect(response.status == 304)
        #expect(server.requests.first?.headers["if-none-match"] == nil, "conditions of the request's own are dropped")
    }

    @Test func a304RenewsTheValidatorsItBrings() {
        let get = ConditionalGET(
            request, validators: HTTPValidators(etag: "\"a\"", lastModified: "then"))
        #expect(
            get.outcome(of: HTTPResponse(status: 304))
                == .notModified(HTTPValidators(etag: "\"a\"", lastModified: "then")))
        #expect(
            get.outcome(of: HTTPResponse(status: 304, headers: ["ETag": "W/\"a\"", "Last-Modified": "now"]))
                == .notModified(HTTPValidators(etag: "W/\"a\"", lastModified: "now")))
    }

    static let contradictions: [(sent: HTTPValidators, received: [String: String], isOther: Bool)] = [
        (HTTPValidators(etag: "\"a\""), ["ETag": "\"b\""], true),
        (HTTPValidators(etag: "\"a\"", lastModified: "then"), ["ETag": "W/\"b\"", "Last-Modified": "then"], true),
        (HTTPValidators(etag: "W/\"a\""), ["ETag": "\"a\""], false),
        (HTTPValidators(etag: "\"a\"", lastModified: "then"), ["Last-Modified": "now"], false),
        (HTTPValidators(lastModified: "then"), ["Last-Modified": "now"], true),
        (HTTPValidators(lastModified: "then"), ["Last-Modified": "then"], false),
        (HTTPValidators(lastModified: "then"), ["ETag": "\"a\""], true),
        (HTTPValidators(lastModified: "then"), ["ETag": "\"a\"", "Last-Modified": "then"], true),
    ]

    @Test(arguments: contradictions.indices) func a304WithOtherValidatorsSpeaksOfAnotherDocument(index: Int) {
        let (sent, received, isOther) = Self.contradictions[index]
        let outcome = ConditionalGET(request, validators: sent).outcome(
            of: HTTPResponse(status: 304, headers: received))
        #expect((outcome == .otherDocument) == isOther)
    }

    @Test(arguments: [201, 204, 206, 302, 404, 412, 500]) func anyOtherStatusIsAFailure(status: Int) {
        let get = ConditionalGET(request, validators: HTTPValidators(etag: "\"a\""))
        #expect(get.outcome(of: HTTPResponse(status: status)) == .failed(HTTPResponse(status: status)))
    }

    @Test func aNewDocumentDropsTheOldValidators() {
        let get = ConditionalGET(request, validators: HTTPValidators(etag: "\"a\"", lastModified: "then"))
        let response = HTTPResponse(status: 200, headers: ["Last-Modified": "now"])
        #expect(get.outcome(of: response) == .modified(response, HTTPValidators(lastModified: "now")))
    }

    @Test(arguments: ["a\r\nX: b", "", "a\0", String(repeating: "a", count: 8193)])
    func aValueThatIsNoHeaderFieldIsDropped(value: String) throws {
        #expect(HTTPValidators(etag: value, lastModified: value).isEmpty)
        let stored = try JSONEncoder().encode(["etag": value, "lastModified": "now"])
        #expect(try JSONDecoder().decode(HTTPValidators.self, from: stored) == HTTPValidators(lastModified: "now"))
    }

    @Test func validatorsSurviveBeingStored() throws {
        for validators in [
            HTTPValidators(), HTTPValidators(etag: "W/\"ü\""), HTTPValidators(etag: "\"a\"", lastModified: "b"),
        ] {
            let stored = try JSONEncoder().encode(validators)
            #expect(try JSONDecoder().decode(HTTPValidators.self, from: stored) == validators)
        }
        #expect(try JSONDecoder().decode(HTTPValidators.self, from: Data(#"{"etag":7,"x":1}"#.utf8)).isEmpty)
    }

    private var request: HTTPRequest { HTTPRequest(url: URL(fileURLWithPath: "/"), timeout: patience) }
}

struct Unexpected: Error {}
