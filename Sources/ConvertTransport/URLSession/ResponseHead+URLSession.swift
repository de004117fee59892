#if canImport(Darwin)
import Foundation

extension ResponseHead {
    /// The head of `response`, if that is HTTP.
    init?(_ response: URLResponse, to request: HTTPRequest) {
        guard let response = response as? HTTPURLResponse else { return nil }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            headers[name.lowercased()] = value
        }
        self.init(status: response.statusCode, headers: headers, to: request)
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
        default: self = .other
        }
    }
}
#endif
