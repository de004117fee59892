#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP response with any status.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code.
    public let status: Int
    /// Header fields by lowercased name.
    public let headers: [String: String]
    /// The body, decompressed; empty if there is no body.
    public let body: Data

    /// Creates a response; header names are lowercased.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        self.body = body
    }
}

// Responses reveal a project's configuration, so neither descriptions nor dumps show their contents.

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, names of header fields, and the body's length; no values.
    public var description: String {
        "\(status) [\(headers.keys.sorted().joined(separator: ", "))] \(body.count) bytes"
    }

    /// The same text as `description`.
    public var debugDescription: String { description }

    /// A mirror that shows only `description`.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}
