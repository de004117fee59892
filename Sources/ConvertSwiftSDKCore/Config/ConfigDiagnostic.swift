/// A problem found while a config was decoded or compiled: a part was left out, or can never match.
///
/// The problem affects only the entity that the diagnostic names. Decisions use the rest of the config.
public struct ConfigDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// The number of diagnostics that are kept. A hostile document may contain millions of malformed entities.
    static let limit = 200

    /// The place in the document, as a JSON path such as `$.audiences[3].rules.OR[0]`.
    public let path: String

    /// What is wrong, what follows from it, and the affected entity.
    public let message: String

    /// What to write instead.
    package let remedy: String

    /// Path and message in one line.
    public var description: String { "\(path): \(message)" }
}
