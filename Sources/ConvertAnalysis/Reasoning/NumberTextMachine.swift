/// Finds out whether a text is the ECMAScript `ToString` of a finite number. The answer is known for up to 15
/// significant digits.
final class NumberTextMachine: TextMachine {
    private enum Phase: Hashable {
        case start, sign, zero, integer, point, fraction, exponentSign, exponent, dead
    }

    private struct State: Hashable {
        var phase = Phase.start
        /// The number of digits from the first nonzero digit on, up to 18.
        var significant = 0
        /// The number of zeros at the end. A fraction does not end with a zero, and in an integer these zeros are not
        /// significant.
        var zeros = 0
        /// The number of zeros directly after `0.`.
        var leadingZeros = 0
        var integerDigits = 0
        var isNegative = false
    }

    private static let exactDigits = 15
    private static let mostDigits = 17

    let readsLowerCase = true
    private let allowsExponents: Bool
    private static let named = NamedUnits(Array("0123456789.-+e".utf16))
    private var states = NumberedStates(State())

    init(allowsExponents: Bool) { self.allowsExponents = allowsExponents }

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
        case (.start, 0x30), (.sign, 0x30): next.phase = .zero
        case (.start, 0x31...0x39), (.sign, 0x31...0x39), (.integer, 0x30...0x39):
            next.phase = .integer
            next.integerDigits += 1
            add(unit, to: &next)
            if next.integerDigits > 21 { return State(phase: .dead) }
        case (.zero, 0x2E), (.integer, 0x2E): next.phase = .point
        case (.point, 0x30...0x39), (.fraction, 0x30...0x39):
            next.phase = .fraction
            if next.significant == 0, unit == 0x30 {
                next.leadingZeros += 1
                if next.leadingZeros > 5 { return State(phase: .dead) }
            }
            add(unit, to: &next)
        case (.integer, 0x65) where state.integerDigits == 1,
            (.fraction, 0x65) where state.integerDigits == 1 && state.zeros == 0:
            if !allowsExponents { return State(phase: .dead) }
            next = State(phase: .exponentSign)
        case (.exponentSign, 0x2B): next = State(phase: .exponent)
        case (.exponentSign, 0x2D): next = State(phase: .exponent, isNegative: true)
        case (.exponent, 0x30...0x39):
            // Exponents are at most -7 or at least 21. Their exact value is not checked.
            next.integerDigits += 1
            if next.integerDigits == 1 { next.significant = unit >= 0x37 ? 1 : 0 }
            if next.integerDigits > 3 || next.integerDigits == 1 && unit == 0x30 { return State(phase: .dead) }
        default: return State(phase: .dead)
        }
        if next.significant - (next.phase == .integer ? next.zeros : 0) > Self.mostDigits {
            return State(phase: .dead)
        }
        if next.phase == .fraction || next.phase == .point { forgetDetails(of: &next) }
        return next
    }

    /// Merges states that no continuation distinguishes.
    private func forgetDetails(of state: inout State) {
        state.zeros = min(state.zeros, 1)
        if state.phase == .point { state.zeros = 0 }
        state.integerDigits = min(state.integerDigits, 2)
        if state.significant > 0 { state.leadingZeros = 0 }
    }

    private func add(_ unit: UInt16, to state: inout State) {
        if unit == 0x30, state.significant == 0 { return }
        state.zeros = unit == 0x30 ? state.zeros + 1 : 0
        state.significant += 1
    }

    func truth(at number: Int) -> Truth {
        let state = states[number]
        switch state.phase {
        case .start, .sign, .point, .exponentSign, .dead: return .no
        case .zero: return Truth(!state.isNegative)
        case .exponent:
            let isLong = state.integerDigits > 1
            return isLong || state.isNegative && state.significant == 1 ? .unknown : .no
        case .integer:
            return state.significant - state.zeros <= Self.exactDigits ? .yes : .unknown
        case .fraction:
            if state.zeros > 0 || state.significant == 0 { return .no }
            return state.significant <= Self.exactDigits ? .yes : .unknown
        }
    }

    func isSettled(at number: Int) -> Bool { states[number].phase == .dead }
}

/// Restricts a machine for numbers to plain decimals. For a number with an exponent the answer is unknown.
final class PlainNumberMachine: TextMachine {
    private let machine: any TextMachine
    private static let exponent = UInt16(0x65)

    init(_ machine: any TextMachine) { self.machine = machine }

    let readsLowerCase = true
    var boundaries: [UInt16] { machine.boundaries + [Self.exponent, Self.exponent + 1] }
    func unitClass(of unit: UInt16) -> Int { unit == Self.exponent ? -1 : machine.unitClass(of: unit) }

    /// A state of the inner machine is also a state of this machine. State -1 is the one after an exponent's sign.
    func next(_ state: Int, _ unit: UInt16) -> Int {
        if state < 0 || unit == Self.exponent { return -1 }
        return machine.next(state, unit)
    }

    func truth(at state: Int) -> Truth { state < 0 ? .unknown : machine.truth(at: state) }
}
