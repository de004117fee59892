extension Borrowed<UInt8> {
    /// Whether the text has the bytes of `text`.
    package func hasBytes(of text: StaticString) -> Bool {
        unsafe self == ByteText(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension [UInt8] {
    /// Appends the UTF-8 of `text`.
    mutating func append(contentsOf text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }
}
