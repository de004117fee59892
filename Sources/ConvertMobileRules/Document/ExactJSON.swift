package import ConvertECMAScript

/// Any JSON value, with integers exact up to 64 bits.
///
/// ECMAScript has doubles only, so ``JSValue``'s own decoding rounds integers beyond 2^53; the mobile matchers do not.
package struct ExactJSON: Decodable {
    /// What was decoded.
    package let value: JSValue

    /// Decodes any JSON value. A number of integral value that fits 64 bits is an integer, however it is spelled.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        var likely = JSONKind.text
        value = try likely.value(at: decoder.codingPath) { kind in
            switch kind {
            case .text: (try? container.decode(String.self)).map(JSValue.string)
            case .null: container.decodeNil() ? .null : nil
            case .number: JSONKind.number({ try container.decode(Int.self) }, { try container.decode(Double.self) })
            case .object: try (try? decoder.container(keyedBy: AnyName.self)).map(ExactObject.value)
            case .array: try (try? decoder.unkeyedContainer()).map { try Self.array($0) }
            case .bool: (try? container.decode(Bool.self)).map(JSValue.bool)
            }
        }
    }

    /// The rest of a list.
    ///
    /// - Parameter likely: the kind that is tried first; changes nothing but the time it takes.
    static func elements(
        _ container: inout any UnkeyedDecodingContainer, likely: JSONKind = .text
    ) throws -> [JSValue] {
        var values: [JSValue] = []
        values.reserveCapacity(container.count ?? 0)
        var likely = likely
        // A failed attempt does not move on.
        while !container.isAtEnd {
            let value = try likely.value(
                from: &container, at: { $0.codingPath + [AnyName(index: $0.currentIndex)] }
            ) { container, kind in
                switch kind {
                case .text: (try? container.decode(String.self)).map(JSValue.string)
                case .null: try container.decodeNil() ? .null : nil
                case .number:
                    JSONKind.number({ try container.decode(Int.self) }, { try container.decode(Double.self) })
                case .object: try (try? container.nestedContainer(keyedBy: AnyName.self)).map(ExactObject.value)
                case .array: try (try? container.nestedUnkeyedContainer()).map { try array($0) }
                case .bool: (try? container.decode(Bool.self)).map(JSValue.bool)
                }
            }
            values.append(value)
        }
        return values
    }

    fileprivate static func array(_ container: any UnkeyedDecodingContainer) throws -> JSValue {
        var container = container
        return .array(try elements(&container))
    }
}

/// A JSON object, with integers exact up to 64 bits.
package struct ExactObject: Decodable {
    /// What was decoded.
    package let object: JSObject

    /// Decodes a JSON object.
    package init(from decoder: any Decoder) throws {
        object = try Self.members(decoder.container(keyedBy: AnyName.self))
    }
}

extension ExactObject {
    static func members(_ container: KeyedDecodingContainer<AnyName>) throws -> JSObject {
        var object = JSObject()
        var likely = JSONKind.text
        for name in container.allKeys {
            object[PropertyKey(name.stringValue)] = try likely.value(at: container.codingPath + [name]) { kind in
                switch kind {
                case .text: (try? container.decode(String.self, forKey: name)).map(JSValue.string)
                case .null: try container.decodeNil(forKey: name) ? .null : nil
                case .number:
                    JSONKind.number(
                        { try container.decode(Int.self, forKey: name) },
                        { try container.decode(Double.self, forKey: name) })
                case .object:
                    try (try? container.nestedContainer(keyedBy: AnyName.self, forKey: name)).map(value)
                case .array:
                    try (try? container.nestedUnkeyedContainer(forKey: name)).map { try ExactJSON.array($0) }
                case .bool: (try? container.decode(Bool.self, forKey: name)).map(JSValue.bool)
                }
            }
        }
        return object
    }

    fileprivate static func value(_ container: KeyedDecodingContainer<AnyName>) throws -> JSValue {
        .object(try members(container))
    }
}

/// Any member name as a coding key.
struct AnyName: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    /// The place of a list's element in a coding path.
    init(index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    init?(intValue: Int) { nil }
}

/// A coding path as a JSON path.
func jsonPath(_ path: some Sequence<any CodingKey>) -> String {
    path.reduce(into: "$") { text, key in
        if let index = key.intValue { text += "[\(index)]" } else { text += ".\(key.stringValue)" }
    }
}
