extension LazyDFA {
    /// Reads `input` from `start` to the end of the first match, and returns whether there is a match; `nil` if
    /// `truths` has given up.
    ///
    /// The time is linear in the input's length: each unit takes a look-up or, at worst, visits to all of the
    /// automaton's instructions. `truths` counts these visits, and one visit for each byte that is read.
    mutating func test(
        _ automaton: Automaton, _ input: UTF8Units, from start: Int = 0, _ truths: inout some Truths
    ) -> Bool? {
        var position = start
        defer {
            end = position
            truths.visitsLeft -= stepper.takeVisits() &+ position &- start
        }
        if automaton.searchesRequired {
            let place = input.firstOccurrence(ofASCII: automaton.required, from: start)
            truths.visitsLeft -= RegExpBudget.visits(searchingBytes: (place ?? input.count) &- start)
            if place == nil { return false }
        }
        var state = restart(automaton, input, &position)
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
            state = computeTransition(automaton, row: state, column: column, keptAt: place)
            if state == Mark.restart { state = restart(automaton, input, &position) }
            truths.visitsLeft -= stepper.takeVisits()
            if truths.hasGivenUp, state >= 0 { return nil }
            let units = reuse.noteTransition(clearings: clearings, at: position)
            if units > 0, state >= 0 {
                let end = min(input.count, position + units)
                guard let next = simulate(automaton, input, state, &position, to: end, &truths) else { return nil }
                state = next
            }
        }
        return state == Mark.match
    }

    /// Advances to the next position, from `position` on, at which a match can begin. Returns the state there.
    @inline(__always)
    private mutating func restart(_ automaton: Automaton, _ input: UTF8Units, _ position: inout Int) -> Int32 {
        if automaton.searchesPrefix {
            let next = input.firstOccurrence(ofASCII: automaton.prefix, from: position)
            // A search without a result has read the whole input.
            position = next ?? input.count
            if next == nil { return Mark.dead }
        }
        guard position > 0, automaton.hasAssertions else { return startState(automaton, after: .edge) }
        return startState(
            automaton, after: automaton.classes.contexts[Int(automaton.classes[input.unit(before: position).unit])])
    }

    /// Steps through `input` at least up to `end` without caching states, and returns the state there; `nil` if
    /// `truths` has given up. The caller then tries caching again.
    private mutating func simulate(
        _ automaton: Automaton, _ input: UTF8Units, _ state: Int32, _ position: inout Int, to end: Int,
        _ truths: inout some Truths
    ) -> Int32? {
        load(automaton, row: state)
        while position < end {
            let (unit, width) = input.unit(at: position)
            if !automaton.looks.isEmpty { decideAllLooks(automaton, at: position, &truths) }
            if truths.hasGivenUp { return nil }
            stepper.advance(automaton, column: Int(automaton.classes[unit]))
            truths.visitsLeft -= stepper.takeVisits()
            if stepper.hasMatched { return Mark.match }
            if stepper.alive.isEmpty, automaton.isAnchored { return Mark.dead }
            position += width
        }
        return reach(automaton)
    }
}
