extension LazyDFA {
    /// The progress of filling a lookaround's table.
    struct TableRun: Sendable {
        fileprivate var state = Mark.unknown
        /// The next position to decide.
        fileprivate var position = 0
        /// All positions before this position are decided.
        fileprivate(set) var decidedEnd = 0
        fileprivate var reuse = StateReuse(clearings: 0)
    }

    /// Continues `run`, which fills the table of lookaround number `look`, until `last` is decided. The automaton of a
    /// lookbehind runs forward. The automaton of a lookahead runs backward over the whole input. Stops if `tables`
    /// gives up.
    ///
    /// `tables` must already have this table, and the tables of the inner lookarounds. It counts a visit for each byte
    /// that is read.
    mutating func fill(
        _ run: inout TableRun, of look: Int, through last: Int, _ automaton: Automaton, _ input: UTF8Units,
        isBackward: Bool, _ tables: inout TruthTables
    ) {
        let reader = TableReader(
            input: input, look: look, isBackward: isBackward, last: isBackward ? input.count : last)
        if run.state == Mark.unknown {
            run.state = startState(automaton, after: .edge)
            run.position = isBackward ? input.count : 0
            run.reuse = StateReuse(clearings: clearings)
        }
        let origin = reader.consumed(run.position)
        defer { tables.visitsLeft -= reader.consumed(run.position) &- origin }
        while run.decidedEnd <= last {
            guard let (column, width) = reader.scan(transitions, automaton, &run.state, &run.position, &tables) else {
                run.decidedEnd = run.position
                break
            }
            var place = Int(run.state) + column
            if transitions[place] == Mark.look {
                place = decideLooks(automaton, row: run.state, column: column, at: run.position, &tables)
            }
            var next = place < 0 ? Mark.unknown : transitions[place]
            let isComputed = next == Mark.unknown
            if isComputed {
                next = computeTransition(automaton, row: run.state, column: column, keptAt: place)
                tables.visitsLeft -= stepper.takeVisits()
                if tables.hasGivenUp { return }
            }
            if column == automaton.endColumn {
                if next == Mark.match { tables.set(look, at: run.position) }
                run.decidedEnd = Int.max
                break
            }
            if next & Mark.matchFlag != 0 { tables.set(look, at: run.position) }
            run.state = next & ~Mark.matchFlag
            run.position += isBackward ? -width : width
            if !isBackward { run.decidedEnd = run.position }
            guard isComputed else { continue }
            let units = run.reuse.noteTransition(clearings: clearings, at: reader.consumed(run.position))
            if units > 0 { simulate(automaton, reader, units, &run, &tables) }
            if tables.hasGivenUp { return }
        }
    }

    /// Steps through `units` bytes without caching states.
    private mutating func simulate(
        _ automaton: Automaton, _ reader: TableReader, _ units: Int, _ run: inout TableRun, _ tables: inout TruthTables
    ) {
        load(automaton, row: run.state)
        let end = reader.consumed(run.position) + units
        while reader.consumed(run.position) < end, !tables.hasGivenUp, let (unit, width) = reader.next(run.position) {
            if !automaton.looks.isEmpty { decideAllLooks(automaton, at: run.position, &tables) }
            stepper.advance(automaton, column: Int(automaton.classes[unit]))
            if stepper.hasMatched { tables.set(reader.look, at: run.position) }
            run.position += reader.isBackward ? -width : width
            tables.visitsLeft -= stepper.takeVisits()
        }
        if !reader.isBackward { run.decidedEnd = run.position }
        run.state = reach(automaton)
    }
}
