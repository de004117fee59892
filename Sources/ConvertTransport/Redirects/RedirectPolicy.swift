#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Determines which redirects are followed, and with which request.
///
/// A redirect that is not followed is returned as the response, with its status.
enum RedirectPolicy {
    /// The maximum number of redirects in an exchange.
    static let limit = 5

    /// Header fields that are sent only to the original origin.
    static let originBound: Set<String> = ["authorization", "cookie", "proxy-authorization"]

    /// Sends `request` through `exchange`, and then follows its redirects, all before one deadline.
    ///
    /// Redirects are followed here rather than by the underlying client. Some clients follow them without the body,
    /// follow `file:` like `http:`, or send `Authorization` to other hosts.
    static func follow(
        _ request: HTTPRequest,
        through exchange: (HTTPRequest, ContinuousClock.Instant) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let deadline = ContinuousClock.now + .seconds(request.boundedTimeout)
        var request = request
        var redirects = 0
        while true {
            try request.validate()
            let response = try await exchange(request, deadline)
            guard redirects < limit, let next = next(after: response, to: request) else { return response }
            redirects += 1
            request = next
        }
    }

    /// The next request after `response`, if it is a redirect to follow.
    static func next(after response: HTTPResponse, to request: HTTPRequest) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["location"],
            let target = URL(string: location, relativeTo: request.url)?.absoluteURL,
            follows(response.status, method: request.method, from: request.url, to: target)
        else { return nil }
        var next = request
        next.url = target
        next.headers = headers(request.headers, from: request.url, to: target)
        return next
    }

    /// Whether to follow a redirect with `status` from `source` to `target`.
    ///
    /// 301, 302 and 303 turn a `POST` into a `GET`, whose success would not mean that the data was delivered. So they
    /// are followed only for methods that they keep.
    static func follows(_ status: Int, method: String, from source: URL, to target: URL) -> Bool {
        let keepsMethod = status == 307 || status == 308 || ["GET", "HEAD"].contains(method.uppercased())
        guard keepsMethod, target.host?.isEmpty == false else { return false }
        switch target.scheme?.lowercased() {
        case "https": return true
        case "http": return source.isLoopback && target.isLoopback
        default: return false
        }
    }

    /// The header fields for the next request: all for the same origin; for another origin, all except those bound to
    /// their origin.
    static func headers(_ headers: [String: String], from source: URL, to target: URL) -> [String: String] {
        source.origin == target.origin ? headers : headers.filter { !originBound.contains($0.key.lowercased()) }
    }
}
