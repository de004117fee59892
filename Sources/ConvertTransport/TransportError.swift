import ConvertConcurrency

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why there is no complete response to a request.
///
/// It names the endpoint's host and a remedy, but no sent or received data: no path, query, header or body. So it can
/// be logged.
public struct TransportError: Error, Sendable, Equatable {
    /// The kind of error. More codes may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The request cannot be sent: its URL is neither `http` nor `https`, a header is malformed, or a `GET` or
        /// `HEAD` has a body.
        public static let invalidRequest = Code(description: "invalidRequest")
        /// The host name has no address.
        public static let hostNotFound = Code(description: "hostNotFound")
        /// The host has an address but accepts no connection.
        public static let cannotConnect = Code(description: "cannotConnect")
        /// No secure connection was possible: for example, a certificate is not trusted, or there is no common
        /// protocol.
        public static let insecureConnection = Code(description: "insecureConnection")
        /// The exchange exceeded the request's timeout.
        public static let timedOut = Code(description: "timedOut")
        /// The connection ended before the response was complete.
        public static let interrupted = Code(description: "interrupted")
        /// The response's body is longer than the request allows.
        public static let responseTooLong = Code(description: "responseTooLong")
        /// The response is not HTTP, or its body cannot be decompressed.
        public static let malformedResponse = Code(description: "malformedResponse")
        /// On Linux: there is no usable libcurl. On systems other than Linux and Apple's: there is no transport.
        public static let libraryMissing = Code(description: "libraryMissing")
        /// Any other error.
        public static let other = Code(description: "other")

        private init(description: String) { self.description = description }
    }

    /// The kind of error.
    public let code: Code

    /// The requested host, with the port if the URL has one; `nil` if the URL has no host.
    public let host: String?

    /// The error number of the operating system or the HTTP client, if there is one. Use it for support, not for
    /// decisions.
    public let underlyingCode: Int?

    /// The response's status, if it had arrived before the exchange failed, for example because the body was
    /// interrupted, too long, unreadable or late. It tells a caller that does not need the body how the endpoint
    /// responded.
    public let status: Int?

    /// Creates an error, for an app's own transport.
    public init(_ code: Code, host: String? = nil, underlyingCode: Int? = nil, status: Int? = nil) {
        self.code = code
        self.host = host
        self.underlyingCode = underlyingCode
        self.status = status
    }
}

extension TransportError: LoggableError {}

extension TransportError: LocalizedError {
    /// The same text as `description`.
    public var errorDescription: String? { description }
}

extension TransportError: CustomStringConvertible {
    /// One sentence: what went wrong, where, and the remedy.
    public var description: String {
        let place = host.map { " (\($0))" } ?? ""
        let number = underlyingCode.map { " [\($0)]" } ?? ""
        return "\(problem)\(place)\(number): \(remedy)"
    }

    private var problem: String {
        switch code {
        case .invalidRequest: "The request cannot be sent"
        case .hostNotFound: "The host name has no address"
        case .cannotConnect: "The host accepts no connection"
        case .insecureConnection: "No secure connection was possible"
        case .timedOut: "The exchange took longer than allowed"
        case .interrupted: "The connection ended before the response was complete"
        case .responseTooLong: "The response is longer than allowed"
        case .malformedResponse: "The response cannot be read"
        case .libraryMissing: "The system has no libcurl 7.68 or newer (libcurl.so.4)"
        default: "The exchange failed"
        }
    }

    private var remedy: String {
        switch code {
        case .invalidRequest:
            "use an absolute http or https URL, header fields without control characters, and no body with GET or HEAD"
        case .hostNotFound: "check the endpoint's name and the server's DNS"
        case .cannotConnect: "check the endpoint's port, the firewall, and whether the service runs"
        case .insecureConnection: "check the endpoint's certificate and the server's trusted roots and clock"
        case .timedOut: "check the network, or allow a longer timeout"
        case .interrupted: "try again; if it persists, look for a proxy that cuts connections"
        case .responseTooLong: "check that the URL is the right one, or raise the maximum response length"
        case .malformedResponse:
            "check that the URL is an HTTP endpoint, that a compressed body is one gzip stream without data after it, "
                + "and that no proxy changes its responses"
        case .libraryMissing:
            "install the package libcurl4 (Debian, Ubuntu) or libcurl (Fedora, Amazon Linux), or set an HTTPTransport"
        default: "try again; if it persists, look the number up"
        }
    }
}
