internal import ConvertECMAScript
import ConvertConcurrency

/// Collects what decoding left out. Decoding runs on one thread; the lock only makes the type `Sendable`, as a
/// decoder's user info asks for.
final class DiagnosticCollector: Sendable {
    /// A hostile document may hold millions of malformed entities; the first ones tell enough.
    static let limit = 200

    static let userInfoKey = CodingUserInfoKey(rawValue: "convert.diagnostics")

    private let state = Mutex<[ConfigDiagnostic]>([])

    func report(_ message: String, at path: [any CodingKey]) {
        state.withLock {
            if $0.count < Self.limit { $0.append(ConfigDiagnostic(path: jsonPath(path), message: message)) }
        }
    }

    var diagnostics: [ConfigDiagnostic] { state.withLock { $0 } }
}

/// A coding path as a JSON path.
func jsonPath(_ path: [any CodingKey]) -> String {
    path.reduce(into: "$") { text, key in
        if let index = key.intValue { text += "[\(index)]" } else { text += ".\(key.stringValue)" }
    }
}

extension Decoder {
    func report(_ message: String, at path: [any CodingKey]? = nil) {
        guard let key = DiagnosticCollector.userInfoKey else { return }
        (userInfo[key] as? DiagnosticCollector)?.report(message, at: path ?? codingPath)
    }
}

/// An element of a list that is left out, with a diagnostic, instead of failing the list. Only an element that has failed
/// before is decoded so, since every layer of decoding costs as much as a small element.
private struct Lenient<Element: Decodable>: Decodable {
    let element: Element?

    init(from decoder: any Decoder) {
        do {
            element = try Element(from: decoder)
        } catch {
            element = nil
            decoder.report("left out: \(reason(of: error)).")
        }
    }

    private func reason(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "it has no \(key.stringValue)"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(jsonPath(context.codingPath)) has another type than expected"
        default: "it cannot be decoded"
        }
    }
}

extension KeyedDecodingContainer {
    /// The member as `Member`, or `nil` if it is missing, null or of another type.
    func ifValid<Member: Decodable>(_ key: Key, as type: Member.Type = Member.self) -> Member? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }

    /// The member as it stands, `nil` if it is missing, or `unreadable` if the decoder refuses it, as it does a number
    /// beyond the range of a double.
    func value(_ key: Key, unreadable: JSValue? = nil) -> JSValue? {
        contains(key) ? (try? decode(JSValue.self, forKey: key)) ?? unreadable : nil
    }

    /// The valid elements of the list, in order; empty if the member is missing or no list.
    func list<Element: Decodable>(_ key: Key, as type: Element.Type = Element.self) -> [Element] {
        guard contains(key), var container = try? nestedUnkeyedContainer(forKey: key) else { return [] }
        var elements: [Element] = []
        elements.reserveCapacity(container.count ?? 0)
        while !container.isAtEnd {
            if let element = try? container.decode(Element.self) {
                elements.append(element)
            } else if (try? container.decode(Lenient<Element>.self)) == nil {
                break
            }
        }
        return elements
    }
}
