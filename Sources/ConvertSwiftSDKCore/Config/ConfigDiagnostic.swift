/// Something in a config that was left out, or that can never match, found while the config was decoded or compiled.
///
/// A diagnostic affects only the entity it names: the rest of the config serves decisions.
public struct ConfigDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// A hostile document may contain millions of malformed entities; the first ones are enough for a diagnosis.
    static let limit = 200

    /// The place in the document, as a JSON path such as `$.audiences[3].rules.OR[0]`.
    public let path: String

    /// What is wrong, what follows from it, and the affected entity.
    public let message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// Path and message in one line.
    public var description: String { "\(path): \(message)" }
}
