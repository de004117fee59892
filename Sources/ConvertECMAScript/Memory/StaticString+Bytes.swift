extension Borrowed<UInt8> {
    /// Whether the text has the bytes of `text`. The bytes of a static string never change or move.
    package func hasBytes(of text: StaticString) -> Bool {
        unsafe self == ByteText(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension [UInt8] {
    /// Appends the UTF-8 of `text`, whose memory is used only during the call.
    mutating func append(contentsOf text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }
}
