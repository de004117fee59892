#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Preparation of a request, common to all transports of this module.

extension HTTPRequest {
    /// The maximum timeout, in seconds. Longer timeouts are reduced to it.
    static let longestTimeout: TimeInterval = 24 * 60 * 60

    /// Header fields that define where a message ends. The transport writes them itself: with a conflicting value, a
    /// server could read the body as the next request.
    private static let framing: Set<String> = ["content-length", "transfer-encoding", "expect"]

    /// The timeout in seconds, within its limits; NaN becomes 0.
    var boundedTimeout: TimeInterval { timeout > 0 ? min(timeout, Self.longestTimeout) : 0 }

    /// The header fields to send, each name once, sorted by lowercased name. The framing fields are left out. A body
    /// without a type gets one, because clients would otherwise declare it to be a form.
    var fields: [(name: String, value: String)] {
        var fields: [String: (name: String, value: String)] = [:]
        if body != nil { fields["content-type"] = ("Content-Type", "application/octet-stream") }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) where !Self.framing.contains(name.lowercased()) {
            fields[name.lowercased()] = (name, value)
        }
        return fields.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Checks that the request can be sent.
    /// - Throws: `TransportError` with `invalidRequest` if it cannot be sent.
    func validate() throws {
        let mayHaveABody = !["GET", "HEAD"].contains(method.uppercased())
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false,
            HeaderField.isName(method), body == nil || mayHaveABody,
            headers.allSatisfy({ HeaderField.isName($0.key) && HeaderField.isValue($0.value) })
        else { throw TransportError(.invalidRequest, host: url.hostAndPort) }
    }
}
