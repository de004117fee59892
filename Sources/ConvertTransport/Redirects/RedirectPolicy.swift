#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which redirects are followed, and with what.
///
/// A redirect that is not followed is the response: the caller sees its status.
enum RedirectPolicy {
    /// Redirects of one exchange; one more is not followed.
    static let limit = 5

    /// Header fields that belong to the origin they were meant for.
    static let originBound: Set<String> = ["authorization", "cookie", "proxy-authorization"]

    /// Sends `request` through `exchange`, then what its redirects lead to, all before one deadline.
    ///
    /// Redirects are followed here, not by the client below: some follow them without the body, to `file:` as if it were
    /// `http:`, and with `Authorization` to other hosts.
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

    /// The request that follows `response`, if that is a redirect that is followed.
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

    /// Whether a `status` that leads from `source` to `target` is followed.
    ///
    /// 301, 302 and 303 turn a `POST` into a `GET`, whose success would say nothing about what was to be delivered; so
    /// they are followed only for methods that they keep.
    static func follows(_ status: Int, method: String, from source: URL, to target: URL) -> Bool {
        let keepsMethod = status == 307 || status == 308 || ["GET", "HEAD"].contains(method.uppercased())
        guard keepsMethod, target.host?.isEmpty == false else { return false }
        switch target.scheme?.lowercased() {
        case "https": return true
        case "http": return source.isLoopback && target.isLoopback
        default: return false
        }
    }

    /// The header fields that go along: all to the same origin, none that is bound to an origin to another one.
    static func headers(_ headers: [String: String], from source: URL, to target: URL) -> [String: String] {
        source.origin == target.origin ? headers : headers.filter { !originBound.contains($0.key.lowercased()) }
    }
}
