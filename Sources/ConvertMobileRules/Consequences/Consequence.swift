public import ConvertECMAScript

/// What follows when an event meets a rule's condition.
public struct Consequence: Sendable, Equatable {
    /// Names the consequence; ids need not be unique.
    public let id: String
    /// What kind it is: `add`, `mod`, `dispatch`, `schema`, `csp`, `iam`, `pb`, `pii`, `url`, `an`, or any other.
    public let type: String
    /// What it needs to be carried out. In a document with its tokens, as the outcome of an event with their values.
    public let detail: JSObject

    /// A consequence.
    public init(id: String, type: String, detail: JSObject) {
        self.id = id
        self.type = type
        self.detail = detail
    }
}

extension Consequence: CustomStringConvertible {
    /// The id, the type and the detail as JSON, in one line.
    public var description: String { "\(id) (\(type)) \(detail)" }
}
