public import ConvertECMAScript

/// An action to perform when an event matches a rule.
public struct Consequence: Sendable, Equatable {
    /// The id. Several consequences may have the same id.
    public let id: String
    /// The type: `add`, `mod`, `dispatch`, `schema`, `csp`, `iam`, `pb`, `pii`, `url`, `an`, or any other.
    public let type: String
    /// The data for the action. In a document, the data may contain tokens. In the result of an event, the tokens are
    /// replaced by values.
    public let detail: JSObject

    /// Creates a consequence.
    public init(id: String, type: String, detail: JSObject) {
        self.id = id
        self.type = type
        self.detail = detail
    }
}

extension Consequence: CustomStringConvertible {
    /// The id, the type and the detail as JSON, on one line.
    public var description: String { "\(id) (\(type)) \(detail)" }
}
