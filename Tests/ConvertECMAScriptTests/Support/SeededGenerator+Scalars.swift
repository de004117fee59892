import ConvertTestSupport

extension SeededGenerator {
    /// Up to `limit` scalars of all planes, many of them where UTF-8 and UTF-16 order differ or case mapping happens.
    mutating func scalars(upTo limit: Int) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x7F, 0x41...0x5A, 0x80...0x24F, 0x370...0x3FF, 0x400...0x52F, 0xD700...0xD7FF, 0xE000...0xFFFF,
            0x10000...0x10FFF, 0x1F600...0x1F64F, 0x10FF00...0x10FFFF,
        ]
        var text = ""
        for _ in 0..<int(0...limit) {
            if let scalar = Unicode.Scalar(UInt32.random(in: pick(ranges), using: &self)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
