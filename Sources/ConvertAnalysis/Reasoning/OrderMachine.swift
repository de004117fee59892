/// Finds out whether a text that is not a number comes before another text, ordered by code units. For a text that is a
/// number, the types differ and the condition never holds.
final class OrderMachine: TextMachine {
    private enum Order: Hashable {
        case before, behind
        /// Equal up to this length.
        case level(Int)
    }

    private struct State: Hashable {
        var shape = 0
        var order = Order.level(0)
    }

    let readsLowerCase = false
    private let operand: [UInt16]
    private let orEqual: Bool
    private let isNegated: Bool
    private let named: NamedUnits
    private let shape = DecimalMachine(.init(bound: nil, below: true, above: true, otherwise: false))
    private let ranks: [UInt16]
    private var states = NumberedStates(State())

    init(_ operand: [UInt16], orEqual: Bool, isNegated: Bool) {
        self.operand = operand
        self.orEqual = orEqual
        self.isNegated = isNegated
        ranks = Set(operand).sorted()
        named = NamedUnits(operand)
    }

    var boundaries: [UInt16] { named.boundaries + shape.boundaries }

    func unitClass(of unit: UInt16) -> Int {
        // Units between two units of the operand are alike, except for their role in numbers.
        let rank = ranks.reduce(0) { $0 + (unit > $1 ? 2 : unit == $1 ? 1 : 0) }
        return rank * 16 + shape.unitClass(of: unit)
    }

    func next(_ state: Int, _ unit: UInt16) -> Int {
        var next = states[state]
        next.shape = shape.next(next.shape, unit)
        if case .level(let length) = next.order {
            if length == operand.count || unit > operand[length] {
                next.order = .behind
            } else {
                next.order = unit == operand[length] ? .level(length + 1) : .before
            }
        }
        return states.number(of: next)
    }

    func truth(at number: Int) -> Truth {
        let state = states[number]
        switch shape.truth(at: state.shape) {
        case .yes: return .no
        case .unknown: return .unknown
        case .no: break
        }
        switch state.order {
        case .before: return Truth(!isNegated)
        case .behind: return Truth(isNegated)
        case .level(let length): return Truth((length < operand.count || orEqual) != isNegated)
        }
    }
}
