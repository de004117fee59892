import Foundation

// Requests carry secrets in header fields and queries, so neither kind of description nor a dump shows them.

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, scheme and host, names of header fields, and the body's length; no values.
    public var description: String {
        let origin = "\(url.scheme ?? "")://\(url.hostAndPort ?? "")"
        return "\(method) \(origin) [\(headers.keys.sorted().joined(separator: ", "))] \(body?.count ?? 0) bytes"
    }

    /// As `description`.
    public var debugDescription: String { description }

    /// A mirror that shows no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, names of header fields, and the body's length; no values.
    public var description: String {
        "\(status) [\(headers.keys.sorted().joined(separator: ", "))] \(body.count) bytes"
    }

    /// As `description`.
    public var debugDescription: String { description }

    /// A mirror that shows no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}
