internal import ConvertECMAScript

/// Why and where a document is rejected.
struct DocumentFault: Error {
    let code: MobileRulesError.Code
    /// A JSON path.
    let place: String
    let message: String

    init(_ code: MobileRulesError.Code, at cursor: JSONCursor, _ message: String) {
        var finder = JSONPathFinder()
        self.code = code
        place = finder.path(of: cursor)
        self.message = message
    }

    /// A value that is not of the `expected` type.
    static func wrongType(of cursor: JSONCursor, expected: String) -> DocumentFault {
        DocumentFault(
            .wrongType, at: cursor,
            "this is of the wrong type; the document is refused. Expected \(expected), found \(cursor.kindName).")
    }

    /// A member that is missing in `container`.
    static func missing(_ member: RulesMember, in container: JSONCursor) -> DocumentFault {
        let hint = container.members.lazy.compactMap { $0.name?.name }.hint(atMissing: member.text)
        return DocumentFault(
            .missingMember, member: member, in: container, "this member is missing; the document is refused." + hint)
    }

    init(_ code: MobileRulesError.Code, member: RulesMember, in container: JSONCursor, _ message: String) {
        var finder = JSONPathFinder()
        self.code = code
        place = finder.path(of: container) + "." + member.text
        self.message = message
    }
}

extension JSONCursor {
    fileprivate var kindName: String {
        switch kind {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .text: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
