/// The deterministic automaton of a pattern's test, state by state, for questions about all texts at once.
///
/// The automaton reads UTF-16 code units. States are numbered in the order in which they are found, beginning with
/// ``start``. Not safe to share between threads.
package final class PatternStates {
    /// Why a pattern has no such automaton.
    package enum Obstacle: Error, Sendable {
        case backReference, lookaround, tooLarge
    }

    private struct State: Hashable {
        let hasMatched: Bool
        let context: Automaton.Context
        let alive: [UInt32]
    }

    /// The state before the first unit.
    package static let start = 0

    private let automaton: Automaton
    private var stepper = AutomatonStepper()
    private var states: [State] = []
    private var numbers: [State: Int] = [:]
    /// For each state, the next state for each class of units, and the answer at the input's end; -1 if not computed
    /// yet.
    private var rows: [[Int32]] = []

    /// Creates the automaton of `expression`.
    package init(_ expression: RegExp) throws(Obstacle) {
        guard let automaton = expression.compiled.testAutomaton else {
            throw expression.compiled.obstacle == .backReference ? .backReference : .tooLarge
        }
        guard automaton.looks.isEmpty else { throw .lookaround }
        self.automaton = automaton
        stepper.start(automaton, after: .edge)
        _ = number(ofStateOf: stepper)
    }

    /// The number of states found so far.
    package var count: Int { states.count }

    /// Returns how many instructions were visited since the last call.
    package func takeVisits() -> Int { stepper.takeVisits() }

    /// The class of a unit. All units of a class lead to the same state from every state.
    package func unitClass(of unit: UInt16) -> Int { Int(automaton.classes[unit]) }

    /// The first unit of each run of units of the same class.
    package private(set) lazy var boundaries = automaton.classes.runStarts

    /// The state after `state` and a unit.
    package func next(_ state: Int, _ unit: UInt16) -> Int {
        let column = Int(automaton.classes[unit])
        if rows[state][column] >= 0 { return Int(rows[state][column]) }
        let next = states[state].hasMatched ? state : advance(state, column: column)
        rows[state][column] = Int32(truncatingIfNeeded: next)
        return next
    }

    /// Whether the pattern matches a text whose last state is `state`.
    package func matches(at state: Int) -> Bool {
        if states[state].hasMatched { return true }
        let column = automaton.endColumn
        if rows[state][column] < 0 {
            resume(states[state])
            stepper.advance(automaton, column: column)
            rows[state][column] = stepper.hasMatched ? 1 : 0
        }
        return rows[state][column] == 1
    }

    /// Whether the text after `state` does not affect the answer.
    package func isSettled(at state: Int) -> Bool {
        states[state].hasMatched || states[state].alive.isEmpty && automaton.isAnchored
    }

    /// A short text that the pattern matches if its assertions hold, made of `preferred` units where possible; `nil` if
    /// the pattern matches no text.
    package func sample(preferring preferred: [UInt16]) -> String? {
        let (code, classes) = (automaton.code, automaton.classes)
        func unit(of set: UInt32) -> UInt16? {
            func isIn(_ unit: UInt16) -> Bool { classes.contains(Int(classes[unit]), in: set) }
            return preferred.first(where: isIn) ?? boundaries.first(where: isIn)
        }
        /// For each instruction, the previous one on a shortest way from the first one, and the unit between them.
        var steps: [(from: Int, unit: UInt16?)?] = Array(repeating: nil, count: code.count)
        var (level, next) = ([0], [Int]())
        var units: [UInt32: UInt16?] = [:]
        while !level.isEmpty {
            while let index = level.popLast() {
                var targets = [index + 1]
                var consumed: UInt16?
                switch code[index] {
                case .match:
                    var (text, place) = ([UInt16](), index)
                    while place > 0, let step = steps[place] {
                        if let unit = step.unit { text.append(unit) }
                        place = step.from
                    }
                    return String(decoding: text.reversed(), as: UTF16.self)
                case .set(let set):
                    consumed = units[set] ?? unit(of: set)
                    units[set] = consumed
                    if consumed == nil { continue }
                case .jump(let target): targets = [Int(target)]
                case .split(let first, let second): targets = [Int(first), Int(second)]
                case .assertion, .look: break
                }
                for target in targets where target > 0 && steps[target] == nil {
                    steps[target] = (index, consumed)
                    if consumed == nil { level.append(target) } else { next.append(target) }
                }
            }
            (level, next) = (next, [])
        }
        return nil
    }

    private func advance(_ state: Int, column: Int) -> Int {
        resume(states[state])
        stepper.advance(automaton, column: column)
        return number(ofStateOf: stepper)
    }

    private func resume(_ state: State) {
        stepper.alive = state.alive
        stepper.context = state.context
    }

    private func number(ofStateOf stepper: AutomatonStepper) -> Int {
        // A match remains a match, regardless of the text that follows.
        let state =
            stepper.hasMatched
            ? State(hasMatched: true, context: .edge, alive: [])
            : State(hasMatched: false, context: stepper.context, alive: stepper.alive.sorted())
        if let number = numbers[state] { return number }
        numbers[state] = states.count
        states.append(state)
        rows.append([Int32](repeating: -1, count: automaton.endColumn + 1))
        return states.count - 1
    }
}
