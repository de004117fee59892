#if canImport(Darwin)
import Foundation

extension ResponseHead {
    /// Creates the head of `response`; `nil` if it is not HTTP.
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
    /// Creates the code for the session's `failure`, given the response's head if it had arrived.
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
        // The request's URL was checked before, so it is the response's protocol that is unsupported.
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
