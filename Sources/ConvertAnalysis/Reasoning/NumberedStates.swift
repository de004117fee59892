/// States of a machine that builds them while it runs, numbered in the order in which they are reached.
struct NumberedStates<State: Hashable> {
    private static var unknown: Int { -1 }

    private var states: [State] = []
    private var numbers: [State: Int] = [:]
    /// For each state the numbers of those behind it by the class of a unit, once one of them was asked for.
    private var transitions: [[Int]] = []

    /// The states that are there from the start, from number 0 on.
    init(_ first: State...) { for state in first { _ = number(of: state) } }

    subscript(number: Int) -> State { states[number] }

    /// The number of `state`, which is a new one if it was not reached before.
    mutating func number(of state: State) -> Int {
        if let number = numbers[state] { return number }
        numbers[state] = states.count
        states.append(state)
        transitions.append([])
        return states.count - 1
    }

    /// The number of the state that `step` finds behind the one with the number. It is asked once for each class of
    /// units, of which there are `classCount`.
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
