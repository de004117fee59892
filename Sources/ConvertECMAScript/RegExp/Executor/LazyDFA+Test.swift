extension LazyDFA {
    /// What running over an input told.
    enum Outcome {
        case matches(Bool)
        /// The input is not ASCII; it has to be transcoded.
        case foreign
        case budgetExceeded
    }

    /// Between two clearings, units consumed per transition computed, below which keeping states does not pay.
    private static var worthwhileReuse: Int { 4 }

    /// Runs over `input` up to the end of the first match to end.
    mutating func test(_ automaton: Automaton, _ input: some AutomatonInput) -> Outcome {
        var state = startState(automaton)
        var position = 0
        var budget = Int.max
        var lastClearing = (count: clearings, position: 0, computed: 0)
        while state >= 0 {
            let column = input.scan(transitions, automaton, &state, &position)
            var next = transitions[Int(state) + column]
            position += 1
            if next == Mark.unknown {
                if budget == Int.max {
                    budget = work + RegExpLimits.automatonSteps + RegExpLimits.stepsPerUnit * input.count
                }
                next = computeTransition(automaton, row: state, column: column)
                lastClearing.computed += 1
                if work > budget { return .budgetExceeded }
                if clearings != lastClearing.count, next >= 0 {
                    if lastClearing.computed * Self.worthwhileReuse > position - lastClearing.position {
                        return simulate(automaton, input, from: position, state: next, budget: budget)
                    }
                    lastClearing = (clearings, position, 0)
                }
            }
            state = next
        }
        return state == Mark.foreign ? .foreign : .matches(state == Mark.match)
    }

    /// Steps through the rest of `input` without keeping states: the machine of last resort, linear like the other.
    private mutating func simulate(
        _ automaton: Automaton, _ input: some AutomatonInput, from start: Int, state: Int32, budget: Int
    ) -> Outcome {
        var stepper = stepper(automaton, row: state)
        for position in start...max(start, input.count) {
            let column = position < input.count ? input.column(at: position, automaton) : automaton.endColumn
            if column == automaton.foreignColumn { return .foreign }
            stepper.advance(automaton, column: column)
            if stepper.hasMatched { return .matches(true) }
            if stepper.work > budget { return .budgetExceeded }
        }
        return .matches(false)
    }
}
