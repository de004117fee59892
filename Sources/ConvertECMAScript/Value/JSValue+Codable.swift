extension JSValue: Codable {
    /// Decodes any JSON value. A Number of integral value that fits 64 bits becomes `.integer`, exactly, however it is
    /// spelled.
    ///
    /// What JSON text means is the decoder's business: Foundation's keeps the first of two members with one name, and
    /// refuses numbers beyond the range of a double, lone surrogates, and nesting deeper than 512. The order of an object's
    /// members is lost.
    public init(from decoder: any Decoder) throws {
        // A failed attempt costs an error with its coding path, so the kinds are tried from the most frequent one on.
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Double.self) {
            // Beyond 2^53 a double may stand for several integers.
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
    /// - Throws: `EncodingError` also for a String or a name with a lone surrogate, which encoders take no text for. The
    ///   value's `description` spells them.
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

    /// The Number `number`: `.integer` if its value is integral and fits 64 bits, else `.number`. `-0` stays a double.
    public init(_ number: Double) {
        // `Int(exactly:)` would need the C math library, which a program without Foundation does not link on Linux.
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
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
