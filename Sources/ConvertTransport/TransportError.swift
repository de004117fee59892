import ConvertConcurrency

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why there is no complete response to a request.
///
/// It names the endpoint's host and a remedy, and nothing of what was sent or received: neither path, query, header
/// nor body, so that it may be logged as it is.
public struct TransportError: Error, Sendable, Equatable {
    /// What went wrong. More codes may come.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The request cannot be sent by this transport: its URL is neither `http` nor `https`, a header is malformed, or a
        /// `GET` or `HEAD` has a body.
        public static let invalidRequest = Code(description: "invalidRequest")
        /// The host's name has no address.
        public static let hostNotFound = Code(description: "hostNotFound")
        /// The host has an address but takes no connection.
        public static let cannotConnect = Code(description: "cannotConnect")
        /// No secure connection could be made: a certificate that is not trusted, no common protocol.
        public static let insecureConnection = Code(description: "insecureConnection")
        /// The exchange took longer than the request allows.
        public static let timedOut = Code(description: "timedOut")
        /// The connection ended before the response was complete.
        public static let interrupted = Code(description: "interrupted")
        /// The response's body is longer than the request allows.
        public static let responseTooLong = Code(description: "responseTooLong")
        /// What arrived is not HTTP, or its body cannot be decompressed.
        public static let malformedResponse = Code(description: "malformedResponse")
        /// On Linux: there is no libcurl that can serve. On systems other than Linux and Apple's: there is no transport.
        public static let libraryMissing = Code(description: "libraryMissing")
        /// None of the others.
        public static let other = Code(description: "other")

        private init(description: String) { self.description = description }
    }

    /// What went wrong.
    public let code: Code

    /// The host that was asked, if the URL names one, with its port if the URL gives one.
    public let host: String?

    /// The operating system's or the HTTP client's number for it, if there is one; for support, not for decisions.
    public let underlyingCode: Int?

    /// The response's status, if it had arrived before the exchange failed: its body was cut short, too long, unreadable or
    /// late. Whoever needs no body knows by it how the endpoint answered.
    public let status: Int?

    /// An error, for transports that an app brings itself.
    public init(_ code: Code, host: String? = nil, underlyingCode: Int? = nil, status: Int? = nil) {
        self.code = code
        self.host = host
        self.underlyingCode = underlyingCode
        self.status = status
    }
}

extension TransportError: LoggableError {}

extension TransportError: LocalizedError {
    /// As `description`.
    public var errorDescription: String? { description }
}

extension TransportError: CustomStringConvertible {
    /// One sentence for people: what, where, and what to do.
    public var description: String {
        let place = host.map { " (\($0))" } ?? ""
        let number = underlyingCode.map { " [\($0)]" } ?? ""
        return "\(problem)\(place)\(number): \(remedy)"
    }

    private var problem: String {
        switch code {
        case .invalidRequest: "The request cannot be sent"
        case .hostNotFound: "The host's name has no address"
        case .cannotConnect: "The host takes no connection"
        case .insecureConnection: "No secure connection could be made"
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
            "check that the URL is an HTTP endpoint, that a compressed body is one gzip stream with nothing behind it, "
                + "and that no proxy changes its responses"
        case .libraryMissing:
            "install the package libcurl4 (Debian, Ubuntu) or libcurl (Fedora, Amazon Linux), or bring an HTTPTransport"
        default: "try again; if it persists, look the number up"
        }
    }
}
