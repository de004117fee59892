import ConvertTestSupport

/// Random patterns and inputs, the same for the same seed.
struct PatternGenerator {
    private var generator: SeededGenerator
    private(set) var groupCount = 0
    let kind: Kind

    /// What may occur in a pattern.
    enum Kind: CaseIterable {
        /// Neither back references nor lookarounds.
        case regular
        /// Lookarounds, often inside each other and repeated, but no back references.
        case lookarounds
        case everything
    }

    /// Few units, so that patterns and inputs meet: letters of case classes, a digit, terminators, half pairs' worth.
    private static let alphabet: [UInt16] = [
        0x61, 0x61, 0x61, 0x62, 0x62, 0x41, 0x4b, 0x6b, 0x30, 0x5f, 0x20, 0x0a, 0x2028, 0xe9, 0xc9, 0x3c3, 0x3c2, 0x3a3,
        0x212a, 0x17f, 0x131, 0x49,
        0xd83d, 0xde00,
    ]

    init(seed: Int, kind: Kind) {
        generator = SeededGenerator(seed: seed)
        self.kind = kind
    }

    mutating func random(_ bound: Int) -> Int { generator.int(0...bound - 1) }

    mutating func flags() -> String { ["", "i", "m", "s", "im", "ims"][random(6)] }

    /// A text of at most 12 scalars.
    mutating func input() -> String {
        let isASCII = random(2) == 0
        var text = String.UnicodeScalarView()
        for _ in 0..<random(13) {
            let unit = unit()
            if isASCII, unit >= 128 { continue }
            let isPair = random(8) == 0 && !isASCII
            if let scalar = isPair ? Unicode.Scalar(0x1f600 as UInt32) : Unicode.Scalar(unit) { text.append(scalar) }
        }
        return String(text)
    }

    mutating func pattern(depth: Int = 4) -> ReferencePattern {
        if depth == 0 { return leaf() }
        switch random(kind == .lookarounds ? 18 : 16) {
        case 0...4: return .sequence((0...random(4)).map { _ in pattern(depth: depth - 1) })
        case 5...6: return .alternation((0...random(3)).map { _ in pattern(depth: depth - 1) })
        case 7...8:
            groupCount += 1
            let number = groupCount
            return .group(number, pattern(depth: depth - 1))
        case 9...12: return repetition(depth)
        case 13:
            let letters = ["i", "m", "s", "im", ""]
            let added = letters[random(5)]
            let others = ["s", "i", "m"].filter { (letter: String) in !added.contains(letter) }
            let removed = random(2) == 0 || added.isEmpty ? others[random(others.count)] : ""
            return .modifiers(added: added, removed: removed, pattern(depth: depth - 1))
        case 14 where kind != .regular, 16, 17:
            return .lookaround(pattern(depth: depth - 1), isBehind: random(2) == 0, isNegative: random(3) == 0)
        default: return leaf()
        }
    }

    private mutating func repetition(_ depth: Int) -> ReferencePattern {
        let minimum = [0, 0, 0, 1, 1, 2, 3][random(7)]
        let maximum = [nil, nil, minimum, minimum + 1, minimum + 3][random(5)]
        return .repetition(
            pattern(depth: depth - 1), minimum: minimum, maximum: maximum == 0 && random(4) > 0 ? 1 : maximum,
            isGreedy: random(3) > 0)
    }

    private mutating func leaf() -> ReferencePattern {
        switch random(14) {
        case 0: return .dot
        case 1: return .escape(["d", "w", "s", "D", "W", "S"][random(6)])
        case 2: return .assertion(["^", "$", "b", "B"][random(4)])
        case 3: return characterClass()
        case 4: return .empty
        case 5 where kind == .everything && groupCount > 0: return .backReference(1 + random(groupCount))
        default: return .character(unit())
        }
    }

    private mutating func characterClass() -> ReferencePattern {
        let items = (0..<random(4)).map { _ -> ReferenceClassItem in
            if random(5) == 0 { return .escape(["d", "w", "s", "D", "W", "S"][random(6)]) }
            let (first, last) = (unit(), random(2) == 0 ? unit() : 0)
            return last == 0 ? .range(first, first) : .range(min(first, last), max(first, last))
        }
        return .characterClass(items, isNegated: random(3) == 0)
    }

    private mutating func unit() -> UInt16 { Self.alphabet[random(Self.alphabet.count)] }
}
