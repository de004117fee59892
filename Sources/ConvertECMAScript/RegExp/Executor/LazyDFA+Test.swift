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

    /// Units to consume without keeping states once that does not pay, and twice as many each time it does not again.
    private static var simulatedUnits: Int { 4_096 }

    /// Runs over `input` up to the end of the first match to end.
    ///
    /// Time is linear in the input's length: a unit costs a look-up or, where states do not recur, at most
    /// `RegExpLimits.automatonStepsPerUnit` visits of instructions, besides `RegExpLimits.automatonSteps` in all.
    mutating func test(_ automaton: Automaton, _ input: some AutomatonInput) -> Outcome {
        var position = 0
        var state = restart(automaton, input, &position)
        var budget = Int.max
        var lastClearing = (count: clearings, position: 0, computed: 0)
        var simulatedUnits = Self.simulatedUnits
        while state >= 0 {
            let column = input.scan(transitions, automaton, &state, &position)
            let next = transitions[Int(state) + column]
            position += 1
            guard next == Mark.unknown else {
                state = next == Mark.restart ? restart(automaton, input, &position) : next
                continue
            }
            if budget == Int.max {
                let allowance = RegExpLimits.automatonStepsPerUnit * (input.count + 1)
                budget = work + RegExpLimits.automatonSteps + allowance
            }
            state = computeTransition(automaton, row: state, column: column)
            if state == Mark.restart { state = restart(automaton, input, &position) }
            lastClearing.computed += 1
            if work > budget { return .budgetExceeded }
            if clearings != lastClearing.count, state >= 0 {
                if lastClearing.computed * Self.worthwhileReuse > position - lastClearing.position {
                    let end = min(input.count, position + simulatedUnits)
                    state = simulate(automaton, input, state, &position, to: end, budget: budget)
                    if work > budget { return .budgetExceeded }
                    simulatedUnits *= 2
                } else {
                    simulatedUnits = Self.simulatedUnits
                }
                lastClearing = (clearings, position, 0)
            }
        }
        return state == Mark.foreign ? .foreign : .matches(state == Mark.match)
    }

    /// Goes to the next place at or after `position` where a match can begin.
    @inline(__always)
    private mutating func restart(
        _ automaton: Automaton, _ input: some AutomatonInput, _ position: inout Int
    ) -> Int32 {
        if automaton.searchesPrefix {
            guard let next = automaton.prefix.firstOccurrence(in: input, from: position) else { return Mark.dead }
            position = next
        }
        guard position > 0, automaton.hasAssertions else { return startState(automaton, after: .edge) }
        let column = input.column(at: position - 1, automaton)
        // A unit that is not ASCII can only have been skipped over; the scan after this would not see it.
        return column == automaton.foreignColumn
            ? Mark.foreign : startState(automaton, after: automaton.classes.contexts[column])
    }

    /// Steps through `input` up to `end` without keeping states: the machine of last resort, linear like the other.
    /// After that it is tried again whether states recur.
    private mutating func simulate(
        _ automaton: Automaton, _ input: some AutomatonInput, _ state: Int32, _ position: inout Int, to end: Int,
        budget: Int
    ) -> Int32 {
        load(automaton, row: state)
        while position < end, work <= budget {
            let column = input.column(at: position, automaton)
            if column == automaton.foreignColumn { return Mark.foreign }
            stepper.advance(automaton, column: column)
            if stepper.hasMatched { return Mark.match }
            position += 1
        }
        return reach(automaton)
    }
}
