import ConvertECMAScript

/// What a case must have of which type. A member that is `null` counts as missing where it may be missing.
extension JSONCursor {
    /// The member, which must be there.
    func required(_ name: String) throws(VectorError) -> JSONCursor {
        guard let member = self[name] else { throw VectorError(message: "no member '\(name)' at \(path)") }
        return member
    }

    /// The member if it is there and not `null`.
    func optional(_ name: String) throws(VectorError) -> JSONCursor? {
        guard let member = try asObject[name], !member.isNull else { return nil }
        return member
    }

    /// The member with its numbers resolved, or `nil` if it is missing; `null` is a value.
    func operand(_ name: String) -> JSValue? { self[name]?.value.resolvingNumbers }

    /// The value itself, which must be an object.
    var asObject: JSONCursor {
        get throws(VectorError) { try isObject ? self : fail("an object") }
    }

    /// The elements of what must be an array.
    var asElements: JSONChildren {
        get throws(VectorError) { try isArray ? elements : fail("an array") }
    }

    /// The text that the value must be.
    var asText: String {
        get throws(VectorError) { if let text { text } else { try fail("text") } }
    }

    /// The text that the value must be, with U+FFFD in place of each lone surrogate, as a hash's UTF-8 has it.
    var asShownText: String {
        get throws(VectorError) { if let shownText { shownText } else { try fail("text") } }
    }

    /// The texts of what must be an array of them.
    var asTexts: [String] {
        get throws(VectorError) {
            var texts: [String] = []
            for element in try asElements { texts.append(try element.asText) }
            return texts
        }
    }

    /// The boolean that the value must be.
    var asFlag: Bool {
        get throws(VectorError) { if let bool { bool } else { try fail("true or false") } }
    }

    /// The Number that the value must be.
    var asNumber: Double {
        get throws(VectorError) { if let number { number } else { try fail("a number") } }
    }

    /// The integer that the value must be.
    func asInteger<Integer: FixedWidthInteger>() throws(VectorError) -> Integer {
        if let integer = integer.flatMap(Integer.init(exactly:)) { integer } else { try fail("an integer in range") }
    }

    private func fail<Value>(_ expected: String) throws(VectorError) -> Value {
        throw VectorError(message: "expected \(expected) at \(path)")
    }

    private var path: String {
        var finder = JSONPathFinder()
        return finder.path(of: self)
    }
}
