import ConvertECMAScript

/// Typed access to the members of a case. Each accessor throws a ``VectorError`` with the value's path if the type is
/// wrong. A `null` for an optional member counts as missing.
extension JSONCursor {
    /// The member. Throws if it is missing.
    func required(_ name: String) throws(VectorError) -> JSONCursor {
        guard let member = self[name] else { throw VectorError(message: "no member '\(name)' at \(path)") }
        return member
    }

    /// The member, or `nil` if it is missing or `null`.
    func optional(_ name: String) throws(VectorError) -> JSONCursor? {
        guard let member = try asObject[name], !member.isNull else { return nil }
        return member
    }

    /// The member with its numbers resolved (``JSValue/resolvingNumbers``), or `nil` if it is missing; `null` is a
    /// value.
    func operand(_ name: String) -> JSValue? { self[name]?.value.resolvingNumbers }

    /// The value itself, which must be an object.
    var asObject: JSONCursor {
        get throws(VectorError) { try isObject ? self : fail("an object") }
    }

    /// The elements of the value, which must be an array.
    var asElements: JSONChildren {
        get throws(VectorError) { try isArray ? elements : fail("an array") }
    }

    /// The text; the value must be text.
    var asText: String {
        get throws(VectorError) { if let text { text } else { try fail("text") } }
    }

    /// The value's text, with U+FFFD in place of each lone surrogate, as in the UTF-8 input of a hash. It must be text.
    var asShownText: String {
        get throws(VectorError) { if let shownText { shownText } else { try fail("text") } }
    }

    /// The texts of the value, which must be an array of texts.
    var asTexts: [String] {
        get throws(VectorError) {
            var texts: [String] = []
            for element in try asElements { texts.append(try element.asText) }
            return texts
        }
    }

    /// The boolean; the value must be a boolean.
    var asFlag: Bool {
        get throws(VectorError) { if let bool { bool } else { try fail("true or false") } }
    }

    /// The Number; the value must be a number.
    var asNumber: Double {
        get throws(VectorError) { if let number { number } else { try fail("a number") } }
    }

    /// The integer; the value must be an integer in the range of `Integer`.
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
