/// States of a machine that builds them while it runs, numbered in the order in which they are reached.
struct NumberedStates<State: Hashable> {
    private var states: [State] = []
    private var numbers: [State: Int] = [:]

    /// The states that are there from the start, from number 0 on.
    init(_ first: State...) { for state in first { _ = number(of: state) } }

    subscript(number: Int) -> State { states[number] }

    /// The number of `state`, which is a new one if it was not reached before.
    mutating func number(of state: State) -> Int {
        if let number = numbers[state] { return number }
        numbers[state] = states.count
        states.append(state)
        return states.count - 1
    }
}
