public import ConvertECMAScript

/// A line of a decision log: a visitor and what was decided.
///
/// It is the visitor's own line with one member more, as `convert-sdk assign --echo` writes it:
///
///     {"visitorId":"v-1","attributes":{"plan":"pro"},"decisions":{"checkout":"green","search":null}}
public struct LoggedDecisions: Sendable, Equatable {
    /// Everything that the decisions depended on.
    public var visitor: PopulationVisitor

    /// For each experience, by key and in the order in which they were decided, the key of the variation (or its id, if it
    /// has no key), or `null`.
    public var decisions: JSObject

    /// A line.
    public init(visitor: PopulationVisitor, decisions: JSObject) {
        self.visitor = visitor
        self.decisions = decisions
    }

    /// The member that holds the decisions.
    static let member = "decisions"

    /// Reads a line from UTF-8. Members that a line of `assign` has besides, `reasons` and `features`, are passed over.
    package init(json: UnsafeBufferPointer<UInt8>) throws(PopulationVisitorError) {
        try self.init(json: json, by: VisitorVocabulary())
    }

    init(json: UnsafeBufferPointer<UInt8>, by vocabulary: VisitorVocabulary) throws(PopulationVisitorError) {
        var decisions: JSObject?
        visitor = try PopulationVisitor(json: json, by: vocabulary) { name, value throws(PopulationVisitorError) in
            switch name {
            case Self.member:
                guard value.isObject, let object = value.value.objectValue,
                    object.members.allSatisfy({ $0.value.isNull || $0.value.stringValue != nil })
                else {
                    throw PopulationVisitorError(
                        code: .wrongType, path: "$.decisions",
                        message: "expected an object of variations by experience, each a text or null.")
                }
                decisions = object
                return true
            case "reasons", "features": return true
            default: return false
            }
        }
        guard let decisions else {
            throw PopulationVisitorError(
                code: .wrongType, path: "$.decisions",
                message: "it is missing; write the log with 'assign --echo'.")
        }
        self.decisions = decisions
    }
}
