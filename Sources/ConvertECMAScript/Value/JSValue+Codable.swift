extension JSValue: Codable {
    /// Decodes any JSON value. A Number with an integral value that fits 64 bits becomes an exact `.integer`,
    /// regardless of its spelling.
    ///
    /// The decoder determines how JSON text is read. Foundation's decoder keeps the first of two members with the same
    /// name, and rejects numbers beyond the range of a double, lone surrogates, and nesting deeper than 512. The order
    /// of an object's members is lost.
    public init(from decoder: any Decoder) throws {
        // A failed attempt creates an error with its coding path, so the most frequent kinds are tried first.
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Double.self) {
            // Beyond 2^53 a double may represent several integers.
            let exact = number.magnitude < 0x1p53 ? nil : try? container.decode(Int.self)
            self = exact.map { .integer($0) } ?? JSValue(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if var elements = try? decoder.unkeyedContainer() {
            var values: [JSValue] = []
            values.reserveCapacity(elements.count ?? 0)
            while !elements.isAtEnd { values.append(try elements.decode(JSValue.self)) }
            self = .array(values)
        } else {
            self = .object(try JSObject(from: decoder))
        }
    }

    /// Encodes the value as JSON.
    ///
    /// - Throws: `EncodingError`, also for a String or a name with a lone surrogate, which encoders do not accept. The
    ///   value's `description` can express such texts.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let object):
            try object.encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let flag): try container.encode(flag)
            case .integer(let integer): try container.encode(integer)
            case .number(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            case .illFormedString(let text): throw EncodingError.illFormed(text, at: container.codingPath)
            case .null, .array, .object: try container.encodeNil()
            }
        }
    }

    /// Creates `.integer` if the value of `number` is integral and fits 64 bits, otherwise `.number`. `-0` stays a
    /// double.
    public init(_ number: Double) {
        // `Int(exactly:)` would need the C math library. A program without Foundation does not link it on Linux.
        let fits = number >= -0x1p63 && number < 0x1p63
        if fits, Double(Int(number)) == number, number != 0 || number.sign == .plus {
            self = .integer(Int(number))
        } else {
            self = .number(number)
        }
    }
}

extension JSObject: Codable {
    /// Decodes a JSON object.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        self.init()
        for name in members.allKeys {
            self[PropertyKey(name.stringValue)] = try members.decode(JSValue.self, forKey: name)
        }
    }

    /// Encodes the members as a JSON object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        for member in members {
            if let text = member.key.illFormedText { throw EncodingError.illFormed(text, at: container.codingPath) }
            try container.encode(member.value, forKey: MemberName(stringValue: member.key.name))
        }
    }
}

extension EncodingError {
    fileprivate static func illFormed(_ text: IllFormedText, at path: [any CodingKey]) -> EncodingError {
        .invalidValue(
            text,
            Context(
                codingPath: path, debugDescription: "text with a surrogate that lacks its other half is not encoded."))
    }
}

/// Any member name as a coding key.
package struct MemberName: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}
