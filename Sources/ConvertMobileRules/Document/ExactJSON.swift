package import ConvertECMAScript

/// Any JSON value, with integers exact up to 64 bits.
///
/// ECMAScript has doubles only, so ``JSValue``'s own decoding rounds integers beyond 2^53; the mobile matchers do not.
package struct ExactJSON: Decodable {
    /// What was decoded.
    package let value: JSValue

    /// Decodes any JSON value. A number of integral value that fits 64 bits is an integer, however it is spelled.
    package init(from decoder: any Decoder) throws {
        // A failed attempt costs an error with its coding path, so the kinds are tried from the most frequent one on.
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if container.decodeNil() {
            value = .null
        } else if let integer = try? container.decode(Int.self) {
            value = .integer(integer)
        } else if let flag = try? container.decode(Bool.self) {
            value = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            value = .number(number)
        } else if var elements = try? decoder.unkeyedContainer() {
            value = .array(try Self.elements(&elements))
        } else if let members = try? decoder.container(keyedBy: AnyName.self) {
            value = .object(try ExactObject.members(members))
        } else {
            // Of all JSON values only a number can be none of these.
            throw DocumentFault(.wrongType, decoder.codingPath, "this number is beyond what a double can hold.")
        }
    }

    /// The rest of a list.
    ///
    /// - Parameter likelyNumbers: whether numbers are tried first; changes nothing but the time it takes.
    static func elements(
        _ container: inout any UnkeyedDecodingContainer, likelyNumbers: Bool = false
    ) throws -> [JSValue] {
        var values: [JSValue] = []
        values.reserveCapacity(container.count ?? 0)
        while !container.isAtEnd {
            // The most frequent kinds without a decoder of their own; a failed attempt does not move on.
            if likelyNumbers, let integer = try? container.decode(Int.self) {
                values.append(.integer(integer))
            } else if likelyNumbers, let number = try? container.decode(Double.self) {
                values.append(.number(number))
            } else if let text = try? container.decode(String.self) {
                values.append(.string(text))
            } else if let integer = try? container.decode(Int.self) {
                values.append(.integer(integer))
            } else {
                values.append(try container.decode(ExactJSON.self).value)
            }
        }
        return values
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
        for name in container.allKeys {
            let key = PropertyKey(name.stringValue)
            if let text = try? container.decode(String.self, forKey: name) {
                object[key] = .string(text)
            } else {
                object[key] = try container.decode(ExactJSON.self, forKey: name).value
            }
        }
        return object
    }
}

/// Any member name as a coding key.
struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A coding path as a JSON path.
func jsonPath(_ path: some Sequence<any CodingKey>) -> String {
    path.reduce(into: "$") { text, key in
        if let index = key.intValue { text += "[\(index)]" } else { text += ".\(key.stringValue)" }
    }
}
