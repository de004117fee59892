internal import ConvertECMAScript

/// Checks of the required types in a rules document. A `null` for an optional member counts as missing.
extension JSONCursor {
    /// The member of an object, or `nil` if it is missing. The document must have been parsed with
    /// ``RulesMember/vocabulary``.
    subscript(member: RulesMember) -> JSONCursor? { self.member(member.rawValue) }

    /// The member, or `nil` if it is missing or `null`.
    func present(_ member: RulesMember) -> JSONCursor? {
        guard let value = self[member], !value.isNull else { return nil }
        return value
    }

    /// The member, which is required.
    func required(_ member: RulesMember) throws(DocumentFault) -> JSONCursor {
        guard let value = self[member] else { throw DocumentFault.missing(member, in: self) }
        return value
    }

    /// The value itself, which must be an object.
    func asObject() throws(DocumentFault) -> JSONCursor {
        guard isObject else { throw DocumentFault.wrongType(of: self, expected: "an object") }
        return self
    }

    /// The value itself, which must be an array.
    func asArray() throws(DocumentFault) -> JSONCursor {
        guard isArray else { throw DocumentFault.wrongType(of: self, expected: "an array") }
        return self
    }

    /// The value's text; it must be text.
    func asText() throws(DocumentFault) -> String {
        guard let text else { throw DocumentFault.wrongType(of: self, expected: "text") }
        return text
    }

    /// The value's integer; it must be an integer.
    func asInteger() throws(DocumentFault) -> Int64 {
        guard let integer else {
            throw DocumentFault(.wrongType, at: self, "this must be an integer; the document is refused.")
        }
        return integer
    }

    /// The value; a double must be able to hold all of its numbers.
    func asValue() throws(DocumentFault) -> JSValue {
        if let number = firstInfiniteNumber {
            throw DocumentFault(.wrongType, at: number, "this number is beyond what a double can hold.")
        }
        return value
    }

    /// The members of a value that must be an object, checked like ``asValue()``.
    func asMembers() throws(DocumentFault) -> JSObject { try asObject().asValue().objectValue ?? JSObject() }
}
