#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What every transport of ours does with a request before it is sent.

extension HTTPRequest {
    /// The longest timeout, in seconds; longer ones are cut to it.
    static let longestTimeout: TimeInterval = 24 * 60 * 60

    /// Header fields that say where a message ends. A transport writes them itself: a second opinion would let a body be
    /// taken for the next request.
    private static let framing: Set<String> = ["content-length", "transfer-encoding", "expect"]

    /// The timeout in seconds, within bounds; what is not a number is no time at all.
    var boundedTimeout: TimeInterval { timeout > 0 ? min(timeout, Self.longestTimeout) : 0 }

    /// The header fields as they are sent, each name once, in the order of their lowercased names: without those that
    /// frame the message, and with a type for a body that has none, because clients call such a body a form.
    var fields: [(name: String, value: String)] {
        var fields: [String: (name: String, value: String)] = [:]
        if body != nil { fields["content-type"] = ("Content-Type", "application/octet-stream") }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) where !Self.framing.contains(name.lowercased()) {
            fields[name.lowercased()] = (name, value)
        }
        return fields.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Checks that it can be sent.
    /// - Throws: `TransportError` with `invalidRequest` if it cannot.
    func validate() throws {
        let mayHaveABody = !["GET", "HEAD"].contains(method.uppercased())
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false,
            HeaderField.isName(method), body == nil || mayHaveABody,
            headers.allSatisfy({ HeaderField.isName($0.key) && HeaderField.isValue($0.value) })
        else { throw TransportError(.invalidRequest, host: url.hostAndPort) }
    }
}
