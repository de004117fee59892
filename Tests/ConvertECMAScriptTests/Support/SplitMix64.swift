/// Steele, Lea and Flood's SplitMix64: the same seed yields the same inputs on every machine.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Up to `limit` scalars of all planes, many of them where UTF-8 and UTF-16 order differ or case mapping happens.
    mutating func text(upTo limit: Int) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x7F, 0x41...0x5A, 0x80...0x24F, 0x370...0x3FF, 0x400...0x52F, 0xD700...0xD7FF, 0xE000...0xFFFF,
            0x10000...0x10FFF, 0x1F600...0x1F64F, 0x10FF00...0x10FFFF,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...limit, using: &self) {
            let range = ranges[Int.random(in: ranges.indices, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
