import ConvertECMAScript
import Foundation

/// JSON text that is written piece by piece, without a value of the whole.
struct JSONBytes: Sendable {
    private var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    var data: Data { Data(bytes) }

    /// Appends punctuation and names that need no escapes.
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends `text` as a string.
    mutating func append(quoting text: String) {
        let isPlain = text.utf8.withContiguousStorageIfAvailable { units in
            guard units.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
                return false
            }
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: units)
            bytes.append(UInt8(ascii: "\""))
            return true
        }
        if isPlain != true { appendText(of: .string(text)) }
    }

    mutating func append(value: JSValue) {
        if case .string(let text) = value { append(quoting: text) } else { appendText(of: value) }
    }

    private mutating func appendText(of value: JSValue) {
        bytes.append(contentsOf: ECMAScript.jsonText(of: value).utf8)
    }
}
