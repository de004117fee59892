/// A builder of JSON text that appends piece by piece, without a ``JSValue`` for the whole document.
@usableFromInline
package struct JSONBytes: Sendable {
    /// The text so far, in UTF-8.
    @usableFromInline package internal(set) var bytes: [UInt8] = []

    /// Creates an empty text with capacity for `capacity` bytes.
    package init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Removes the text, and keeps the capacity.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends punctuation, or names that need no escaping.
    package mutating func append(_ text: StaticString) { bytes.append(contentsOf: text) }

    /// Appends text that is already JSON.
    @inlinable
    package mutating func append(json text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

    /// Appends `count` bytes of `byte`.
    package mutating func append(repeating byte: UInt8, count: Int) {
        bytes.append(contentsOf: repeatElement(byte, count: count))
    }

    /// Overwrites bytes at `place` with `number`, in little-endian order.
    @inlinable
    package mutating func replaceBytes(at place: Int, with number: some FixedWidthInteger) {
        for index in 0..<number.bitWidth / 8 {
            bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
        }
    }

    /// Appends `text` as a string.
    package mutating func append(quoting text: String) {
        let isPlain = text.withUTF8Bytes { units in
            guard ECMAScript.isPlain(units) else { return false }
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: units)
            bytes.append(UInt8(ascii: "\""))
            return true
        }
        if !isPlain { appendText(of: .string(text)) }
    }

    /// Appends the name of a member as a string.
    package mutating func append(quoting name: PropertyKey) {
        if name.isIllFormed { appendText(of: name.value) } else { append(quoting: name.name) }
    }

    /// Appends a value.
    package mutating func append(value: JSValue) {
        if case .string(let text) = value { append(quoting: text) } else { appendText(of: value) }
    }

    private mutating func appendText(of value: JSValue) {
        bytes.append(contentsOf: ECMAScript.jsonText(of: value).utf8)
    }
}
