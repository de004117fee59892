import NIOHTTP1

extension HTTPRequestHead {
    /// Whether the client waits for a status before it sends the body.
    var awaitsContinue: Bool {
        headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }

    /// Removes scheme and host, which the target may begin with (RFC 9112, section 3.2.2).
    mutating func takeOriginForm() {
        guard uri.utf8.first != UInt8(ascii: "/"), method != .CONNECT, let scheme = uri.firstRange(of: "://") else {
            return
        }
        let path = uri[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        uri = path.hasPrefix("/") ? String(path) : "/" + path
    }

    /// The length of the body that the client announces; `nil` if it announces none, or more than any body has.
    var contentLength: Int? { headers.first(name: "content-length").flatMap { Int($0) } }

    /// Whether the connection would no longer be one of HTTP/1.1 after this request.
    var asksForAnotherProtocol: Bool {
        method == .CONNECT
            || headers.contains(name: "upgrade")
                && headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    }

    /// Whether other servers on the way may read the host or the end of the body differently, which the decoder does
    /// not notice (RFC 9112, sections 3.2 and 6.1).
    var isAmbiguous: Bool {
        let hosts = headers["host"]
        return hosts.count > 1 || hosts.isEmpty && version != .http1_0 || !hosts.allSatisfy(\.isHost)
            || headers["transfer-encoding"].contains { coding in
                version == .http1_0 || coding.lowercased().filter { $0 != " " && $0 != "\t" } != "chunked"
            }
    }
}

extension String {
    private static let hostBytes = (0...UInt8.max).map { byte in
        0x21...0x7E ~= byte && !#"/?#@<>\^`{|}""#.utf8.contains(byte)
    }

    /// Whether the text is a host, with white space behind it, which the decoder leaves to a field's value.
    fileprivate var isHost: Bool {
        let host = utf8.prefix { Self.hostBytes[Int($0)] }
        return !host.isEmpty && utf8[host.endIndex...].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }
}
