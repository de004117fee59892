/// Repairs text whose UTF-8 was read as Windows-1252, such as `MÃ¼nchen`.
enum Mojibake {
    /// The characters of the bytes 0x80 to 0x9F. Each other character stands for its own code point.
    private static let special = Dictionary(
        firstOf: zip(
            "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ".unicodeScalars,
            [
                0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8E, 0x91, 0x92, 0x93, 0x94,
                0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0x9B, 0x9C, 0x9E, 0x9F,
            ] as [UInt8]))

    /// The original text; `nil` if the text was not misread in this way.
    static func decoded(_ text: String) -> String? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = special[scalar] ?? UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        // Non-ASCII bytes of a word are hardly ever valid UTF-8 by accident.
        return String(validating: bytes, as: UTF8.self)
    }
}
