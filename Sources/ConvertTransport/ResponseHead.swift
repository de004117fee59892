import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Status and header fields of a response.
struct ResponseHead {
    let status: Int
    /// Header fields by lowercased name.
    let headers: [String: String]
    /// The body's length as announced, if that is the number of bytes that will be handed over.
    let length: Int?
    /// Whether the body was compressed on its way.
    let isEncoded: Bool

    /// The head of `response`, if that is HTTP.
    init?(_ response: URLResponse, to request: HTTPRequest) {
        guard let response = response as? HTTPURLResponse else { return nil }
        status = response.statusCode
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            headers[name.lowercased()] = value
        }
        self.headers = headers
        isEncoded = headers["content-encoding"].map { $0.lowercased() != "identity" } ?? false
        let hasBody = request.method.uppercased() != "HEAD" && ![204, 304].contains(status)
        length = hasBody && !isEncoded ? headers["content-length"].flatMap { Int($0) } : nil
    }
}

extension TransportError.Code {
    /// What the session's `failure` means once `head` had arrived.
    init(_ failure: NSError, head: ResponseHead?) {
        guard failure.domain == NSURLErrorDomain else {
            self = .other
            return
        }
        switch failure.code {
        case NSURLErrorTimedOut: self = .timedOut
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: self = .hostNotFound
        case NSURLErrorCannotConnectToHost, NSURLErrorNotConnectedToInternet: self = .cannotConnect
        case NSURLErrorNetworkConnectionLost: self = .interrupted
        // What the Linux session says if the connection ends before the first byte.
        case NSURLErrorBadServerResponse where head == nil: self = .interrupted
        case NSURLErrorBadServerResponse, NSURLErrorCannotParseResponse, NSURLErrorCannotDecodeRawData,
            NSURLErrorCannotDecodeContentData, NSURLErrorZeroByteResource:
            self = .malformedResponse
        // The request's URL was checked; what is unsupported is the answer's protocol.
        case NSURLErrorUnsupportedURL: self = .malformedResponse
        case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateHasBadDate,
            NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasUnknownRoot,
            NSURLErrorServerCertificateNotYetValid, NSURLErrorClientCertificateRejected,
            NSURLErrorClientCertificateRequired:
            self = .insecureConnection
        case NSURLErrorUnknown: self = Self.unnamed(failure, head: head)
        default: self = .other
        }
    }

    /// The Linux session names few of its client's errors; the rest is told apart by how far the response came and by the
    /// client's words.
    private static func unnamed(_ failure: NSError, head: ResponseHead?) -> Self {
        let words = failure.localizedDescription
        guard let head else { return words.contains("SSL") ? .insecureConnection : .malformedResponse }
        return head.isEncoded && words.contains("encoding") ? .malformedResponse : .interrupted
    }
}
