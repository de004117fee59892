#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URL {
    /// Whether the host is this machine: `localhost`, 127.0.0.0/8 in full notation, or `::1`.
    package var isLoopback: Bool {
        guard let host = host?.lowercased() else { return false }
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && !$0.hasPrefix("+") }
    }

    /// Scheme, host and port.
    package var origin: String {
        let scheme = self.scheme?.lowercased() ?? ""
        return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }

    /// The host, with its port if the URL gives one.
    package var hostAndPort: String? { host.map { host in port.map { "\(host):\($0)" } ?? host } }

    /// Scheme, host and path: what may stand in a file or a message, because secrets stand in user, password, query and
    /// fragment.
    package var withoutSecrets: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return hostAndPort ?? "" }
        // Without an authority, as behind a mistyped scheme, what was meant for user and password stands in the path.
        if parts.host?.isEmpty ?? true { return "\(parts.scheme ?? ""):…" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? hostAndPort ?? ""
    }

    /// What names it in a message: a file's path, any other URL ``withoutSecrets``.
    package var place: String { isFileURL ? path : withoutSecrets }

    /// Whether it is `https`, or `http` on this machine: nobody on the way can read or change what it serves.
    package var isPrivate: Bool {
        switch scheme?.lowercased() {
        case "https": true
        case "http": isLoopback
        default: false
        }
    }
}
