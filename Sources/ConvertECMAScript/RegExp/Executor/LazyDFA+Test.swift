extension LazyDFA {
    /// Between two clearings, units consumed per transition computed, below which keeping states does not pay.
    private static var worthwhileReuse: Int { 4 }

    /// Units to consume without keeping states once that does not pay, and twice as many each time it does not again.
    private static var simulatedUnits: Int { 4_096 }

    /// Runs over `input` up to the end of the first match to end, and tells whether there is one; `nil` beyond the budget.
    ///
    /// Time is linear in the input's length: a unit costs a look-up or, at worst, visits to the automaton's instructions:
    /// one by one to compute a state that may recur, 64 at a time once states do not. How many of these are allowed
    /// `RegExpLimits.automatonSteps` and `RegExpLimits.automatonStepsPerByte` say.
    mutating func test(_ automaton: Automaton, _ input: UTF8Units) -> Bool? {
        if automaton.searchesRequired, input.firstOccurrence(ofASCII: automaton.required, from: 0) == nil {
            return false
        }
        var position = 0
        var state = restart(automaton, input, &position)
        // Of the work, known as soon as there is any.
        var bound: Int?
        var lastClearing = (count: clearings, position: 0, computed: 0)
        var simulatedUnits = Self.simulatedUnits
        while state >= 0 {
            let (column, width) = input.scan(transitions, automaton, &state, &position)
            let next = transitions[Int(state) + column]
            position += width
            guard next == Mark.unknown else {
                state = next == Mark.restart ? restart(automaton, input, &position) : next
                continue
            }
            let limit = bound ?? work + steps
            bound = limit
            state = computeTransition(automaton, row: state, column: column)
            if state == Mark.restart { state = restart(automaton, input, &position) }
            lastClearing.computed += 1
            if exceeds(limit, at: position) { return nil }
            if clearings != lastClearing.count, state >= 0 {
                if lastClearing.computed * Self.worthwhileReuse > position - lastClearing.position {
                    let end = min(input.count, position + simulatedUnits)
                    state = simulate(automaton, input, state, &position, to: end, bound: limit)
                    if state >= 0, exceeds(limit, at: position) { return nil }
                    simulatedUnits *= 2
                } else {
                    simulatedUnits = Self.simulatedUnits
                }
                lastClearing = (clearings, position, 0)
            }
        }
        return state == Mark.match
    }

    private var work: Int { stepper.work + (bitParallel?.work ?? 0) }

    /// Whether more was done than `bound` and the bytes before `position` allow.
    private func exceeds(_ bound: Int, at position: Int) -> Bool {
        work > bound + RegExpLimits.automatonStepsPerByte * position
    }

    /// Goes to the next place at or after `position` where a match can begin.
    @inline(__always)
    private mutating func restart(_ automaton: Automaton, _ input: UTF8Units, _ position: inout Int) -> Int32 {
        if automaton.searchesPrefix {
            guard let next = input.firstOccurrence(ofASCII: automaton.prefix, from: position) else { return Mark.dead }
            position = next
        }
        guard position > 0, automaton.hasAssertions else { return startState(automaton, after: .edge) }
        return startState(
            automaton, after: automaton.classes.contexts[Int(automaton.classes[input.unit(before: position).unit])])
    }

    /// Steps through `input` up to `end` or beyond without keeping states. After that it is tried again whether they
    /// recur.
    private mutating func simulate(
        _ automaton: Automaton, _ input: UTF8Units, _ state: Int32, _ position: inout Int, to end: Int,
        bound: Int
    ) -> Int32 {
        load(automaton, row: state)
        var bits = bitParallel.take() ?? BitParallelStepper(automaton)
        bits.load(stepper)
        let stepperWork = stepper.work
        while position < end, stepperWork + bits.work <= bound + RegExpLimits.automatonStepsPerByte * position {
            let (unit, width) = input.unit(at: position)
            guard bits.advance(automaton, column: Int(automaton.classes[unit])) else { return Mark.dead }
            if bits.hasMatched { return Mark.match }
            position += width
        }
        bits.unload(automaton, into: &stepper)
        bitParallel = bits
        return reach(automaton)
    }
}
