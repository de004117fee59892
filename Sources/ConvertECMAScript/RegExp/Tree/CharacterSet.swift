/// A set of UTF-16 code units.
typealias CharacterSet = IntervalSet<UInt16>

extension CharacterSet {
    /// The units of the set, if there are at most two; otherwise `nil`.
    var fewUnits: [UInt16]? {
        guard bounds.count <= 4 else { return nil }
        let ranges = ranges
        var count = 0
        for range in ranges { count += range.count }
        return count <= 2 ? ranges.flatMap { Array($0) } : nil
    }
}

/// CompileToCharSet of the CharacterClassEscapes (ECMA-262, 22.2.2.9), WordCharacters (22.2.2.9.3) and LineTerminator
/// (12.3).
extension CharacterSet {
    static var digits: CharacterSet { CharacterSet(ranges: [0x30...0x39]) }
    static var wordCharacters: CharacterSet {
        CharacterSet(ranges: [0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
    }
    /// The units outside ASCII that are word characters under simple case folding.
    static var foldedWordCharacters: CharacterSet { CharacterSet(0x17f, 0x212a) }
    /// The first halves of surrogate pairs.
    static var leads: CharacterSet { CharacterSet(ranges: [0xd800...0xdbff]) }
    static var lineTerminators: CharacterSet { CharacterSet(0x0a, 0x0d, 0x2028, 0x2029) }
    static var whiteSpace: CharacterSet {
        CharacterSet(ranges: [
            0x09...0x0d, 0x20...0x20, 0xa0...0xa0, 0x1680...0x1680, 0x2000...0x200a, 0x2028...0x2029, 0x202f...0x202f,
            0x205f...0x205f, 0x3000...0x3000, 0xfeff...0xfeff,
        ])
    }
}
