extension LazyDFA {
    /// Runs over `input` from `start` to the end of the first match to end, and tells whether there is one; `nil` beyond
    /// the budget.
    ///
    /// Time is linear in the input's length: a unit costs a look-up or, at worst, visits to the automaton's instructions:
    /// one by one to compute a state that may recur, 64 at a time once states do not. How many of these are allowed
    /// `RegExpLimits.automatonSteps` and `RegExpLimits.automatonStepsPerByte` say.
    mutating func test(
        _ automaton: Automaton, _ input: UTF8Units, from start: Int = 0, _ truths: inout some Truths
    ) -> Bool? {
        if automaton.searchesRequired, input.firstOccurrence(ofASCII: automaton.required, from: start) == nil {
            return false
        }
        var position = start
        defer { end = position }
        var state = restart(automaton, input, &position)
        // Of the work, known as soon as there is any.
        var bound: Int?
        var reuse = StateReuse(clearings: clearings)
        while state >= 0 {
            let (column, width) = input.scan(transitions, automaton, &state, &position)
            var place = Int(state) + column
            if transitions[place] == Mark.look {
                place = decideLooks(automaton, row: state, column: column, at: position, &truths)
                if truths.hasGivenUp { return nil }
            }
            let next = place < 0 ? Mark.unknown : transitions[place]
            position += width
            guard next == Mark.unknown else {
                state = next == Mark.restart ? restart(automaton, input, &position) : next
                continue
            }
            let limit = bound ?? work + steps
            bound = limit
            state = computeTransition(automaton, row: state, column: column, keptAt: place)
            if state == Mark.restart { state = restart(automaton, input, &position) }
            if exceeds(limit, at: position) { return nil }
            let units = reuse.noteTransition(clearings: clearings, at: position)
            if units > 0, state >= 0 {
                let end = min(input.count, position + units)
                state = simulate(automaton, input, state, &position, to: end, bound: limit, &truths)
                if truths.hasGivenUp || state >= 0 && exceeds(limit, at: position) { return nil }
            }
        }
        return state == Mark.match
    }

    var work: Int { stepper.work + (bitParallel?.work ?? 0) }

    /// Whether more was done than `bound` and the bytes before `position` allow.
    func exceeds(_ bound: Int, at position: Int) -> Bool {
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
        bound: Int, _ truths: inout some Truths
    ) -> Int32 {
        load(automaton, row: state)
        var bits = bitParallel.take() ?? BitParallelStepper(automaton)
        bits.load(stepper)
        let stepperWork = stepper.work
        while position < end, stepperWork + bits.work <= bound + RegExpLimits.automatonStepsPerByte * position {
            let (unit, width) = input.unit(at: position)
            for (look, number) in automaton.looks.enumerated() {
                bits.setTruth(of: look, to: truths.holds(number, at: position))
            }
            if truths.hasGivenUp { return finish(bits, Mark.dead) }
            guard bits.advance(automaton, column: Int(automaton.classes[unit])) else { return finish(bits, Mark.dead) }
            if bits.hasMatched { return finish(bits, Mark.match) }
            position += width
        }
        bits.unload(automaton, into: &stepper)
        bitParallel = bits
        return reach(automaton)
    }

    /// Lets go of `bits` and keeps what they have counted.
    private mutating func finish(_ bits: BitParallelStepper, _ mark: Int32) -> Int32 {
        stepper.count(work: bits.work)
        return mark
    }
}
