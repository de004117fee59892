/// Applies a mobile matcher with ASCII operands to the lower case of a text.
///
/// For non-ASCII texts it knows the answers of `eq` and `ne`. Other answers would require comparing graphemes, so they
/// are unknown.
final class MobileMachine: TextMachine {
    let readsLowerCase = true
    private let needles: [NeedleMachine]
    private let isEquality: Bool
    private let needsAll: Bool
    private let isNegated: Bool
    private let named: NamedUnits
    /// For each state, the states of the needles; empty for a text whose answer is unknown.
    private var states: NumberedStates<[Int]>

    /// The characters that are canonically equivalent to an ASCII character, as far as lower case keeps them.
    private static let equivalents: [UInt16: UInt16] = [0x37E: 0x3B, 0x1FEF: 0x60, 0x212A: 0x6B]

    /// - Parameters:
    ///   - needles: one needle for each operand, negated for matchers that require that no operand matches.
    ///   - needsAll: whether all needles must match rather than any.
    init(_ needles: [NeedleMachine], isEquality: Bool, needsAll: Bool, isNegated: Bool) {
        self.needles = needles
        self.isEquality = isEquality
        self.needsAll = needsAll
        self.isNegated = isNegated
        named = NamedUnits(Self.equivalents.keys.sorted() + [0x0D])
        states = NumberedStates([Int](repeating: 0, count: needles.count), [])
    }

    var boundaries: [UInt16] { needles.flatMap(\.boundaries) + named.boundaries + [0x80] }

    func unitClass(of unit: UInt16) -> Int {
        var value = named.unitClass(of: unit) * 2 + (unit < 0x80 ? 0 : 1)
        for needle in needles { value = value &* 257 &+ needle.unitClass(of: unit) }
        return value
    }

    func next(_ state: Int, _ unit: UInt16) -> Int {
        if states[state].isEmpty { return state }
        if !isEquality, unit >= 0x80 || unit == 0x0D { return 1 }
        let unit = Self.equivalents[unit] ?? unit
        return states.number(of: zip(needles, states[state]).map { $0.next($1, unit) })
    }

    func truth(at state: Int) -> Truth {
        if states[state].isEmpty { return .unknown }
        let holds = zip(needles, states[state]).map { $0.truth(at: $1) == .yes }
        return Truth((needsAll ? holds.allSatisfy { $0 } : holds.contains(true)) != isNegated)
    }
}
