/// The states of a machine that creates them on demand, numbered in the order of creation.
struct NumberedStates<State: Hashable> {
    private static var unknown: Int { -1 }

    private var states: [State] = []
    private var numbers: [State: Int] = [:]
    /// For each state, the numbers of the next states by the class of a unit; empty until one of them is requested.
    private var transitions: [[Int]] = []

    /// Creates the initial states, numbered from 0.
    init(_ first: State...) { for state in first { _ = number(of: state) } }

    subscript(number: Int) -> State { states[number] }

    /// The number of `state`, which is added if it is new.
    mutating func number(of state: State) -> Int {
        if let number = numbers[state] { return number }
        numbers[state] = states.count
        states.append(state)
        transitions.append([])
        return states.count - 1
    }

    /// The number of the state after the one with `number`. Calls `step` once for each state and class of units; there
    /// are `classCount` classes.
    mutating func next(_ number: Int, _ unitClass: Int, of classCount: Int, _ step: (State) -> State) -> Int {
        if transitions[number].isEmpty {
            transitions[number] = Array(repeating: Self.unknown, count: classCount)
        } else if transitions[number][unitClass] != Self.unknown {
            return transitions[number][unitClass]
        }
        let next = self.number(of: step(states[number]))
        transitions[number][unitClass] = next
        return next
    }
}
