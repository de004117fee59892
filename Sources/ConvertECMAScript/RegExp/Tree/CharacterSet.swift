/// A set of UTF-16 code units (ECMA-262, 22.2.2.1, CharSet): the bounds of its ranges, ascending, apart from each other.
struct CharacterSet: Hashable, Sendable {
    /// First and last unit of each range, one after the other.
    private(set) var bounds: [UInt16]

    static let empty = CharacterSet(bounds: [])
    static let all = CharacterSet(bounds: [0, 0xffff])

    private init(bounds: [UInt16]) { self.bounds = bounds }

    init(_ units: UInt16...) {
        self.init(ranges: units.map { $0...$0 })
    }

    init(ranges: [ClosedRange<UInt16>]) {
        bounds = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = bounds.last, range.lowerBound <= last || range.lowerBound == last + 1 {
                bounds[bounds.count - 1] = max(last, range.upperBound)
            } else {
                bounds.append(range.lowerBound)
                bounds.append(range.upperBound)
            }
        }
    }

    /// The ranges, ascending.
    var ranges: [ClosedRange<UInt16>] {
        stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]...bounds[$0 + 1] }
    }

    /// The only units, if there are at most two.
    var fewUnits: [UInt16]? {
        guard bounds.count <= 4 else { return nil }
        let count = stride(from: 0, to: bounds.count, by: 2).reduce(0) { $0 + Int(bounds[$1 + 1] - bounds[$1]) + 1 }
        return count <= 2 ? ranges.flatMap { Array($0) } : nil
    }

    /// The units that are not in the set.
    var inverted: CharacterSet {
        var result: [UInt16] = []
        var next = 0
        for range in ranges {
            if Int(range.lowerBound) > next {
                result.append(UInt16(next))
                result.append(range.lowerBound - 1)
            }
            next = Int(range.upperBound) + 1
        }
        if next <= 0xffff {
            result.append(UInt16(next))
            result.append(0xffff)
        }
        return CharacterSet(bounds: result)
    }

    func contains(_ unit: UInt16) -> Bool {
        var low = 0
        var high = bounds.count / 2
        while low < high {
            let middle = (low + high) / 2
            if unit > bounds[2 * middle + 1] { low = middle + 1 } else { high = middle }
        }
        return low < bounds.count / 2 && bounds[2 * low] <= unit
    }
}

/// CompileToCharSet of the CharacterClassEscapes (ECMA-262, 22.2.2.9), WordCharacters (22.2.2.9.3) and LineTerminator (12.3).
extension CharacterSet {
    static let digits = CharacterSet(ranges: [0x30...0x39])
    static let wordCharacters = CharacterSet(ranges: [0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
    /// Those beyond ASCII that simple case folding takes for word characters.
    static let foldedWordCharacters = CharacterSet(0x17f, 0x212a)
    /// First halves of surrogate pairs.
    static let leads = CharacterSet(ranges: [0xd800...0xdbff])
    static let lineTerminators = CharacterSet(0x0a, 0x0d, 0x2028, 0x2029)
    static let whiteSpace = CharacterSet(ranges: [
        0x09...0x0d, 0x20...0x20, 0xa0...0xa0, 0x1680...0x1680, 0x2000...0x200a, 0x2028...0x2029, 0x202f...0x202f,
        0x205f...0x205f, 0x3000...0x3000, 0xfeff...0xfeff,
    ])
}
