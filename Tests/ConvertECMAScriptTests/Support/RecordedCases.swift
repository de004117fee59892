import ConvertECMAScript
import Foundation

/// A file of recorded answers in `TestVectors`.
struct RecordedCases<Case: Decodable>: Decodable {
    let kind: String
    let source: String
    let cases: [Case]

    /// Reads `TestVectors/<kind>/<kind>.json`.
    ///
    /// By JSONDecoder: JSONSerialization drops a byte order mark that starts a string, and some inputs start with one.
    static func read(kind: String) throws -> Self {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let data = try Data(contentsOf: root.appending(path: "TestVectors/\(kind)/\(kind).json"))
        return try JSONDecoder().decode(Self.self, from: data)
    }
}

/// A value in a recorded case: all Numbers are doubles, and `{"$number": …}` spells those that JSON cannot hold.
struct RecordedValue: Decodable {
    let value: JSValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let flag = try? container.decode(Bool.self) {
            value = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            value = .number(number)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let elements = try? container.decode([RecordedValue].self) {
            value = .array(elements.map(\.value))
        } else {
            value = try Self.object(container.decode([String: RecordedValue].self))
        }
    }

    private static func object(_ members: [String: RecordedValue]) throws -> JSValue {
        guard let spelled = members["$number"]?.value.stringValue else {
            return .object(JSObject(members.map { ($0.key, $0.value.value) }))
        }
        switch spelled {
        case "NaN": return .number(.nan)
        case "Infinity": return .number(.infinity)
        case "-Infinity": return .number(-.infinity)
        case "-0": return .number(-0.0)
        default: throw UnknownNumber(spelled: spelled)
        }
    }
}

struct UnknownNumber: Error {
    let spelled: String
}
