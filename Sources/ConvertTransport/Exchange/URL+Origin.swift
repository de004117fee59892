#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension URL {
    /// Whether the host is this machine: `localhost`, an address in 127.0.0.0/8 with all four numbers, or `::1`.
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

    /// The host, with the port if the URL has one.
    package var hostAndPort: String? { host.map { host in port.map { "\(host):\($0)" } ?? host } }

    /// Scheme, host and path, for files and messages. User, password, query and fragment are left out, because they may
    /// be secret.
    package var withoutSecrets: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return hostAndPort ?? "" }
        // Without an authority, for example after a mistyped scheme, the intended user and password are part of the
        // path.
        if parts.host?.isEmpty ?? true { return "\(parts.scheme ?? ""):…" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? hostAndPort ?? ""
    }

    /// The URL for messages: a file's path, or ``withoutSecrets`` of any other URL.
    package var place: String { isFileURL ? path : withoutSecrets }

    /// Whether the URL is `https`, or `http` on this machine, so that its content cannot be read or changed on the way.
    package var isPrivate: Bool {
        switch scheme?.lowercased() {
        case "https": true
        case "http": isLoopback
        default: false
        }
    }
}
