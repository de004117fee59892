/// Something in a config that was left out or can never match, found while it was decoded or compiled.
///
/// A diagnostic takes nothing else down: the rest of the config serves decisions.
public struct ConfigDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// A hostile document may hold millions of malformed entities; the first ones tell enough.
    static let limit = 200

    /// Where it stands, as a JSON path such as `$.audiences[3].rules.OR[0]`.
    public let path: String

    /// What is wrong, what follows, and which entity it is.
    public let message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// Path and message in one line.
    public var description: String { "\(path): \(message)" }
}
