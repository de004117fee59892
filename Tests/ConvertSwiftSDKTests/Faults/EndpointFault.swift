import ConvertMonitoring
import ConvertTestServer
import ConvertTestSupport
import ConvertTransport
import Foundation
import ConvertConcurrency
import Testing

@testable import ConvertSwiftSDK

/// Something that an endpoint does to a request, and what the SDK has to make of it.
struct EndpointFault: Sendable, CustomTestStringConvertible {
    /// What becomes of tracking events.
    enum Fate: Sendable, Equatable {
        /// They wait and are sent again.
        case wait
        /// They count as delivered: only the status matters, whatever becomes of the body.
        case delivered
        /// They are given up and reported.
        case refused(status: Int)
    }

    let name: String
    /// What the endpoint answers; `nil` if no endpoint listens.
    let response: ServerResponse?
    /// What a fetch of the config throws, which may depend on what the transport notices.
    let codes: Set<ConvertError.Code>
    let fate: Fate
    /// Whether nothing but time ends the exchange.
    let isSilent: Bool

    init(
        _ name: String, _ response: ServerResponse?, _ code: ConvertError.Code = .configUnavailable,
        or other: ConvertError.Code? = nil, _ fate: Fate = .wait, isSilent: Bool = false
    ) {
        self.name = name
        self.response = response
        codes = [code, other ?? code]
        self.fate = fate
        self.isSilent = isSilent
    }

    var testDescription: String { name }

    /// A request's timeout that is short where it is to run out, and out of the way elsewhere.
    var timeout: Duration { isSilent ? .seconds(1) : Self.patience }

    /// For what is to succeed however busy the machine is.
    static let patience = Duration.seconds(600)

    /// The longest config that the tests take.
    static let configLimit = 1 << 20

    static let all: [EndpointFault] = connections + bodies + statuses + headers

    private static let connections: [EndpointFault] = [
        EndpointFault("refuses connections", nil),
        EndpointFault("stalls", .stall, isSilent: true),
        EndpointFault(
            "stalls after the head", .stallAfterHead(announcing: 10), .configUnavailable, .delivered, isSilent: true),
        EndpointFault(
            "drips", .drip(body: String(repeating: "slow ", count: 100), pause: 0.05), .configUnavailable, .delivered,
            isSilent: true),
        EndpointFault("resets the connection", .reset),
        EndpointFault("hangs up", .hangUp),
        EndpointFault("sends garbage", .garbage(Data("hello\r\n\r\nworld".utf8))),
        EndpointFault("sends random bytes", .garbage(Data((0..<3000).map { UInt8(truncatingIfNeeded: $0) }))),
    ]

    private static let bodies: [EndpointFault] = [
        EndpointFault(
            "cuts the body short", .cutShort(body: #"{"account_id""#, announcing: 1000), .configUnavailable,
            .delivered),
        EndpointFault("cuts the whole body", .cutShort(body: "", announcing: 1000), .configUnavailable, .delivered),
        EndpointFault(
            "leaves out the last chunk", .chunked([Data("{}".utf8)], isTerminated: false), .configUnavailable,
            .delivered),
        EndpointFault(
            "announces a huge body", .cutShort(body: "{", announcing: 1 << 40), .configUnavailable, .delivered),
        EndpointFault(
            "sends an endless body", .endless(Data(count: 1 << 16), pause: 0.001), .configUnavailable, .delivered),
        EndpointFault(
            "sends a body one byte too long", .status(200, body: Data(count: configLimit + 1)), .configUnavailable,
            .delivered),
        EndpointFault(
            "sends a small body that unpacks to a huge one", gzip(Gzip.compress(Data(count: 64 << 20))),
            .configUnavailable, .delivered),
        EndpointFault("calls text gzip", gzip(Data("this is not gzip".utf8)), .configUnavailable, .delivered),
        EndpointFault(
            "answers 500 and cuts the body short",
            .garbage(Data("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nx".utf8))),
        EndpointFault(
            "answers 400 and cuts the body short",
            .garbage(Data("HTTP/1.1 400 No\r\nContent-Length: 9\r\n\r\nx".utf8)), .configUnavailable,
            .refused(status: 400)),
        // What the HTTP client unpacks before the end counts as the body.
        EndpointFault(
            "ends gzip too early", gzip(Gzip.compress(Fixture.data).dropLast(40)), .invalidConfig,
            or: .configUnavailable, .delivered),
        EndpointFault("sends an empty body", .status(200), .invalidConfig, .delivered),
        EndpointFault(
            "sends a page", .status(200, headers: ["Content-Type": "text/html"], body: "<html>Welcome!</html>"),
            .invalidConfig, .delivered),
        EndpointFault("sends JSON that is no config", .status(200, body: #"{"ok": true}"#), .invalidConfig, .delivered),
        EndpointFault(
            "sends bytes that are no text", .status(200, body: Data([0xff, 0xfe, 0, 0xc3, 0x28])), .invalidConfig,
            .delivered),
        EndpointFault(
            "nests a body a thousand levels deep",
            .status(200, body: String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)),
            .invalidConfig, .delivered),
    ]

    private static let statuses: [EndpointFault] = [
        EndpointFault("answers 204", .status(204), .configUnavailable, .delivered),
        EndpointFault("answers 304", .status(304)),
        EndpointFault("answers 400", .status(400, body: "bad"), .configUnavailable, .refused(status: 400)),
        EndpointFault("answers 401", .status(401), .accessDenied),
        EndpointFault("answers 403", .status(403), .accessDenied),
        EndpointFault("answers 404", .status(404, body: "none"), .accessDenied),
        EndpointFault("answers 413", .status(413), .configUnavailable, .refused(status: 413)),
        EndpointFault("answers 422", .status(422), .configUnavailable, .refused(status: 422)),
        EndpointFault("answers 407", .status(407)),
        EndpointFault("answers 408", .status(408)),
        EndpointFault("answers 429", .status(429, headers: ["Retry-After": "1"])),
        EndpointFault("answers 500", .status(500, body: "oops")),
        EndpointFault("answers 503", .status(503, headers: ["Retry-After": "soon"])),
        EndpointFault("redirects for ever", .redirect(307, to: "/again")),
        EndpointFault("redirects to another host without TLS", .redirect(307, to: "http://192.0.2.1/")),
        EndpointFault("redirects to a file", .redirect(307, to: "file:///etc/hostname")),
        EndpointFault("redirects nowhere", .status(302)),
    ]

    private static let headers: [EndpointFault] = [
        EndpointFault("closes amid the status line", .garbage(Data("HTTP/1.1 20".utf8))),
        EndpointFault("closes amid the head", .garbage(Data("HTTP/1.1 200 OK\r\nX-A: b\r\n".utf8))),
        EndpointFault(
            "sends header fields after the body",
            // A client that thinks the connection alive may send its next request into its end.
            .garbage(
                Data(
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: b\r\n\r\n"
                        .utf8)),
            .invalidConfig, .delivered),
    ]

    private static func gzip(_ body: Data) -> ServerResponse {
        .status(200, headers: ["Content-Encoding": "gzip", "Content-Type": "application/json"], body: body)
    }
}

/// A server that answers well until a test makes it fail. Each good response ends the connection, so that a fault meets
/// a new one.
final class FaultyServer: Sendable {
    private struct State {
        var fault: EndpointFault?
        var welcomed: [RecordedRequest] = []
    }

    let server: TestServer
    private let state: Shared<State>

    init(body: Data = Data(), headers: KeyValuePairs<String, String> = ["Connection": "close"]) throws {
        let well = ServerResponse(ServerResponse.status(200, headers: headers, body: body).steps + [.close])
        let state = Shared(State())
        self.state = state
        server = try TestServer { request in
            state.withLock { state in
                if let response = state.fault?.response { return response }
                state.welcomed.append(request)
                return well
            }
        }
    }

    var address: String { server.url().absoluteString }

    /// The requests that were answered well.
    var welcomed: [RecordedRequest] { state.withLock { $0.welcomed } }

    func fail(_ fault: EndpointFault) {
        state.withLock { $0.fault = fault }
        if fault.response == nil { server.refuseConnections() }
    }

    func heal() throws {
        state.withLock { $0.fault = nil }
        try server.acceptConnectionsAgain()
    }

    /// The numbers that the conversions which were answered well carry, by visitor, in the order in which they arrived
    /// for the first time.
    var numbers: [String: [Int]] {
        var numbers: [String: [Int]] = [:]
        var seen: Set<Int> = []
        for (visitor, number) in welcomed.flatMap({ NumberedConversion.all(in: $0.body) })
        where seen.insert(number).inserted {
            numbers[visitor, default: []].append(number)
        }
        return numbers
    }
}

/// A mutex that closures may share.
final class Shared<Value>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: consuming sending Value) { mutex = Mutex(value) }

    func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result { mutex.withLock(body) }
}

extension NumberedConversion {
    static func options(_ number: Int) -> ConversionOptions {
        var options = ConversionOptions()
        options.forcesMultipleTransactions = true
        options.goalData = [.integer(number)]
        return options
    }
}

extension DeliveryCounts {
    /// Whether every event is in exactly one place.
    var isComplete: Bool { accepted + restored == delivered + queued + rejectedTotal }
}
