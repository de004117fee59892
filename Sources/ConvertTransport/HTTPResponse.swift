#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One HTTP response, of whatever status.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code.
    public let status: Int
    /// Header fields by lowercased name.
    public let headers: [String: String]
    /// The body, decompressed; empty if there is none.
    public let body: Data

    /// A response; header names are lowercased.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        self.body = body
    }
}

// Responses carry what a project is up to, so neither kind of description nor a dump shows it.

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
