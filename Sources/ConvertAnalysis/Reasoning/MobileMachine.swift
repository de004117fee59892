/// A mobile matcher with operands of ASCII text, on the lower case of a text.
///
/// Of other texts than ASCII it knows what `eq` and `ne` answer; where graphemes would have to be told apart it does
/// not.
final class MobileMachine: TextMachine {
    let readsLowerCase = true
    private let needles: [NeedleMachine]
    private let isEquality: Bool
    private let needsAll: Bool
    private let isNegated: Bool
    private let named: NamedUnits
    /// For each state those of the needles; empty for a text of which nothing is known.
    private var states: NumberedStates<[Int]>

    /// What is canonically equivalent to a unit of ASCII, as far as it stays in lower case.
    private static let equivalents: [UInt16: UInt16] = [0x37E: 0x3B, 0x1FEF: 0x60, 0x212A: 0x6B]

    /// - Parameters:
    ///   - needles: one for each operand, negated themselves for the matchers that say "none of these".
    ///   - needsAll: whether all of them must hold instead of any.
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
