public import AsyncHTTPClient
public import ConvertTransport
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Synchronization

/// Sends the SDK's requests over async-http-client.
///
/// Redirects are not followed: the SDK sees their status, and takes it for a failure. Convert's hosts send none.
///
/// Tried with async-http-client 1.37.0, swift-nio 2.101.2, swift-nio-extras 1.35.2 and swift-nio-ssl 2.37.6.
public struct AsyncHTTPTransport: HTTPTransport {
    private let client: HTTPClient

    /// - Parameter client: one made with ``configuration``. The app shuts it down after the SDK.
    public init(client: HTTPClient) { self.client = client }

    /// The longest decompressed body; `SDKConfiguration.maximumConfigLength` is the same by default.
    private static let maximumDecompressedLength = 64 << 20

    /// How a client for the SDK is configured.
    public static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // The limit of each request is held below, while its body arrives.
        configuration.decompression = .enabled(limit: .size(maximumDecompressedLength))
        // The SDK itself tries again, with backoff; a refused connection is an answer.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// Sends the request and reads the whole response, within the request's timeout.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let status = Mutex<Int?>(nil)
        do {
            return try await withTimeout(request.timeout) {
                let response = try await client.execute(try clientRequest(request), deadline: .distantFuture)
                status.withLock { $0 = Int(response.status.code) }
                return try await whole(response, of: request)
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPClientError where error == .cancelled && Task.isCancelled {
            throw CancellationError()
        } catch {
            throw TransportError(Self.code(of: error), host: request.url.hostAndPort, status: status.withLock { $0 })
        }
    }

    private func clientRequest(_ request: HTTPRequest) throws -> HTTPClientRequest {
        let method = request.method.uppercased()
        if request.body != nil && ["GET", "HEAD"].contains(method) { throw TransportFault.invalidRequest }
        if request.headers.keys.contains("") { throw TransportFault.invalidRequest }
        guard let scheme = request.url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw TransportFault.invalidRequest
        }
        var result = HTTPClientRequest(url: request.url.absoluteString)
        result.method = HTTPMethod(rawValue: method)
        result.headers = HTTPHeaders(request.headers.filter { !Self.framing.contains($0.key.lowercased()) }.map { $0 })
        if let body = request.body { result.body = .bytes(ByteBuffer(data: body)) }
        return result
    }

    private func whole(_ response: HTTPClientResponse, of request: HTTPRequest) async throws -> HTTPResponse {
        let encodings = response.headers[canonicalForm: "content-encoding"].map { $0.lowercased() }
        guard encodings.allSatisfy({ ["identity", "gzip", "deflate"].contains($0) }) else {
            throw TransportFault.unknownEncoding
        }
        var body = Data()
        for try await part in response.body {
            guard body.count + part.readableBytes <= request.maximumResponseLength else { throw TransportFault.tooLong }
            body.append(contentsOf: part.readableBytesView)
        }
        let headers = response.headers.map { ($0.name.lowercased(), $0.value) }
        return HTTPResponse(
            status: Int(response.status.code), headers: Dictionary(headers, uniquingKeysWith: { $1 }), body: body)
    }

    /// Header fields that frame the message are the client's.
    private static let framing: Set<String> = ["content-length", "transfer-encoding", "expect"]

    /// What the system says of an address that takes no connection.
    private static let unreachable = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH]

    private static func code(of error: any Error) -> TransportError.Code {
        switch error {
        case let fault as TransportFault: fault.code
        case let error as HTTPClientError: code(of: error)
        case let error as NIOConnectionError:
            error.connectionErrors.isEmpty && error.dnsAError != nil ? .hostNotFound : .cannotConnect
        case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection: .interrupted
        case is HTTPParserError, is NIOHTTPDecompression.ExtraDecompressionError: .malformedResponse
        case NIOHTTPDecompression.DecompressionError.limit: .responseTooLong
        case is NIOHTTPDecompression.DecompressionError: .malformedResponse
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: .insecureConnection
        case let error as IOError where unreachable.contains(error.errnoCode): .cannotConnect
        case is ChannelError, is IOError: .interrupted
        default: .other
        }
    }

    private static func code(of error: HTTPClientError) -> TransportError.Code {
        switch error {
        case .remoteConnectionClosed, .requestStreamCancelled: .interrupted
        case .connectTimeout, .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout: .timedOut
        case .tlsHandshakeTimeout, .uncleanShutdown: .insecureConnection
        case .invalidURL, .emptyHost, .emptyScheme: .invalidRequest
        default:
            // Cases with values have no public name.
            ["Invalid header field names", "Invalid header field values", "Unsupported scheme"]
                .contains(error.shortDescription) ? .invalidRequest : .other
        }
    }
}

/// What async-http-client leaves to its caller.
private enum TransportFault: Error {
    case invalidRequest, unknownEncoding, tooLong, timedOut

    var code: TransportError.Code {
        switch self {
        case .invalidRequest: .invalidRequest
        case .unknownEncoding: .malformedResponse
        case .tooLong: .responseTooLong
        case .timedOut: .timedOut
        }
    }
}

/// Bounds the whole exchange; the client's own deadline ends with the response's head.
private func withTimeout<Result: Sendable>(
    _ seconds: TimeInterval, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await Task.sleep(for: .seconds(min(max(0, seconds), 86_400)))
            throw TransportFault.timedOut
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}

extension URL {
    /// The host that an error names.
    fileprivate var hostAndPort: String? { host.map { host in port.map { "\(host):\($0)" } ?? host } }
}
