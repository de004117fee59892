/// Reads a text as `less` and `lessEqual` do: whether it is a number, and how the number compares with a bound.
///
/// The comparison is exact. A decimal is rounded to the nearest double, so it is compared with the point halfway
/// between the two doubles around the bound.
final class DecimalMachine: TextMachine {
    /// The condition's answers for numbers and for other texts.
    struct Answers {
        /// The bound; `nil` if it only matters whether the text is a number.
        var bound: Bound?
        /// The answer for numbers below the bound, or for all numbers if there is no bound.
        var below: Bool
        var above: Bool
        /// The answer for texts that are not numbers.
        var otherwise: Bool
    }

    /// The point that separates numbers below from numbers above.
    struct Bound {
        let isNegative: Bool
        /// The magnitude's digits before and after the point, without leading and trailing zeros.
        let integer: [UInt8]
        let fraction: [UInt8]
        /// Whether a number at exactly this point counts as below.
        let includesTie: Bool
    }

    private enum Phase: Hashable {
        case start, sign, dead
        /// The number of digits before any comma, up to four.
        case leading(Int)
        /// The number of digits still missing from a group after a comma.
        case group(Int)
        case point
        case fraction
    }

    private enum Order: Hashable {
        case below, above
        /// Equal to the bound's digits before this index.
        case level(Int)
    }

    private struct State: Hashable {
        var phase = Phase.start
        var isNegative = false
        /// Whether the text begins with `0` and a comma, which stands for a decimal point.
        var isCommaPoint = false
        /// The number of significant digits before the point.
        var digits = 0
        /// The order of the magnitude's digits and the same number of the bound's; after the point, the order of the
        /// magnitudes.
        var order = Order.level(0)
        var isZero = true
    }

    /// The largest number of digits before the point for which a number is always finite. With one more digit it may be
    /// infinite; with two more it is.
    private static let finiteDigits = 308

    let readsLowerCase = true
    private let answers: Answers
    private static let named = NamedUnits(Array("0123456789,.-".utf16))
    private var states = NumberedStates(State())

    init(_ answers: Answers) { self.answers = answers }

    var boundaries: [UInt16] { Self.named.boundaries }

    func unitClass(of unit: UInt16) -> Int { Self.named.unitClass(of: unit) }

    func next(_ state: Int, _ unit: UInt16) -> Int {
        states.next(state, unitClass(of: unit), of: Self.named.classCount) { step($0, unit) }
    }

    private func step(_ state: State, _ unit: UInt16) -> State {
        var next = state
        switch (state.phase, unit) {
        case (.start, 0x2D):
            next.phase = .sign
            next.isNegative = true
        case (.start, 0x30...0x39), (.sign, 0x30...0x39), (.leading, 0x30...0x39):
            var count = 1
            if case .leading(let before) = state.phase { count = min(before + 1, 4) }
            // Four stands for any larger number. A comma is a decimal point only after a single `0`.
            next.phase = .leading(count)
            addInteger(UInt8(unit - 0x30), to: &next)
        case (.leading(let count), 0x2C) where count <= 3:
            next.phase = .group(3)
            if count == 1, state.isZero, !state.isNegative {
                next.isCommaPoint = true
                endInteger(of: &next)
            }
        case (.group(let due), 0x30...0x39) where due > 0:
            next.phase = .group(due - 1)
            if !state.isCommaPoint {
                addInteger(UInt8(unit - 0x30), to: &next)
            } else if state.digits < 3 {
                // Only the first group of digits counts.
                addFraction(UInt8(unit - 0x30), to: &next)
                next.digits += 1
            }
        case (.group(0), 0x2C):
            next.phase = .group(3)
        case (.start, 0x2E), (.sign, 0x2E), (.leading, 0x2E), (.group(0), 0x2E):
            next.phase = .point
            if !state.isCommaPoint { endInteger(of: &next) }
        case (.point, 0x30...0x39), (.fraction, 0x30...0x39):
            next.phase = .fraction
            if !state.isCommaPoint { addFraction(UInt8(unit - 0x30), to: &next) }
        default:
            return State(phase: .dead)
        }
        return next.digits > Self.finiteDigits + 1 ? State(phase: .dead) : next
    }

    private func addInteger(_ digit: UInt8, to state: inout State) {
        if state.digits == 0, digit == 0 { return }
        state.isZero = false
        state.digits += 1
        guard let bound = answers.bound else { return }
        if state.digits > bound.integer.count {
            state.order = .above
        } else if case .level = state.order {
            let other = bound.integer[state.digits - 1]
            if digit != other { state.order = digit < other ? .below : .above }
        }
    }

    private func endInteger(of state: inout State) {
        if let bound = answers.bound {
            if state.digits < bound.integer.count {
                state.order = .below
            } else if case .level = state.order {
                state.order = .level(0)
            }
        }
        state.digits = state.digits > Self.finiteDigits ? state.digits : 0
    }

    private func addFraction(_ digit: UInt8, to state: inout State) {
        if digit != 0 { state.isZero = false }
        guard let bound = answers.bound, case .level(let index) = state.order else { return }
        if index < bound.fraction.count {
            let other = bound.fraction[index]
            state.order = digit == other ? .level(index + 1) : digit < other ? .below : .above
        } else if digit != 0 {
            state.order = .above
        }
    }

    func truth(at number: Int) -> Truth {
        var state = states[number]
        switch state.phase {
        case .start, .sign, .dead, .point: return Truth(answers.otherwise)
        case .group(let due) where due > 0: return Truth(answers.otherwise)
        case .leading, .group: if !state.isCommaPoint { endInteger(of: &state) }
        case .fraction: break
        }
        let isBelow = answers.bound.map { self.isBelow(state, $0) } ?? true
        let answer = isBelow ? answers.below : answers.above
        // Whether the number is finite depends on digits that are not compared here.
        if state.digits > Self.finiteDigits, answer != answers.otherwise { return .unknown }
        return Truth(answer)
    }

    func isSettled(at number: Int) -> Bool { states[number].phase == .dead }

    private func isBelow(_ state: State, _ bound: Bound) -> Bool {
        let isNegative = state.isNegative && !state.isZero
        if isNegative != bound.isNegative { return isNegative }
        switch state.order {
        case .below: return !bound.isNegative
        case .above: return bound.isNegative
        case .level(let index):
            if index < bound.fraction.count { return !bound.isNegative }
            return bound.includesTie
        }
    }
}

extension DecimalMachine.Bound {
    /// The point between the texts whose number is below `number` (or equal, if `orEqual`) and the others; `nil` if
    /// there is no such finite decimal, as for infinities and the largest doubles.
    init?(_ number: Double, orEqual: Bool) {
        let low = orEqual ? number : number.nextDown
        let high = orEqual ? number.nextUp : number
        guard low.isFinite, high.isFinite else { return nil }
        isNegative = high <= 0
        let (small, large) = isNegative ? (high.magnitude, low.magnitude) : (low.magnitude, high.magnitude)
        // Twice the halfway point, in units of the smaller number's last place, is odd.
        let (significand, exponent) = Self.integral(small)
        let (digits, places) = Self.decimal(2 * significand + 1, exponent - 1)
        let split = max(0, digits.count - places)
        integer = Array(digits[..<split])
        var fraction = Array(repeating: UInt8(0), count: max(0, places - digits.count)) + digits[split...]
        while fraction.last == 0 { fraction.removeLast() }
        self.fraction = fraction
        // A tie rounds to the even neighbour.
        let nearest = Self.integral(small).significand % 2 == 0 ? small : large
        includesTie = nearest == low.magnitude
    }

    /// A magnitude as an integer times a power of two, in units of its last place.
    private static func integral(_ magnitude: Double) -> (significand: UInt64, exponent: Int) {
        let pattern = magnitude.significandBitPattern
        if magnitude.exponentBitPattern == 0 { return (pattern, -1074) }
        return (pattern | 1 << 52, Int(magnitude.exponentBitPattern) - 1075)
    }

    /// The decimal digits of an integer times a power of two, without leading zeros, and the number of digits after the
    /// point.
    private static func decimal(_ significand: UInt64, _ exponent: Int) -> (digits: [UInt8], places: Int) {
        var digits = String(significand).utf8.reversed().map { $0 - 0x30 }
        // Division by two is multiplication by five and a shift of the point.
        let factor: UInt8 = exponent < 0 ? 5 : 2
        for _ in 0..<abs(exponent) {
            var carry: UInt8 = 0
            for index in digits.indices {
                let product = digits[index] * factor + carry
                digits[index] = product % 10
                carry = product / 10
            }
            if carry > 0 { digits.append(carry) }
        }
        return (digits.reversed(), max(0, -exponent))
    }
}
