/// Reads an input in the direction in which a lookaround's table is filled.
struct TableReader {
    let input: UTF8Units
    /// The lookaround's number.
    let look: Int
    let isBackward: Bool
    /// The last position to decide.
    let last: Int

    /// The number of bytes between `position` and the position at which reading began.
    func consumed(_ position: Int) -> Int { isBackward ? input.count - position : position }

    /// The unit to read at `position`; `nil` at the end.
    @inline(__always)
    func next(_ position: Int) -> (unit: UInt16, width: Int)? {
        if isBackward { return position > 0 ? input.unit(before: position) : nil }
        return position < input.count ? input.unit(at: position) : nil
    }

    /// Follows transitions as long as they lead to states, and marks in `tables` the positions at which matches end.
    /// Returns the column of the first transition that does not lead to a state (`endColumn` at the end of the input),
    /// and the width of its unit; `nil` when `last` is decided.
    @inline(__always)
    func scan(
        _ transitions: [Int32], _ automaton: Automaton, _ state: inout Int32, _ position: inout Int,
        _ tables: inout TruthTables
    ) -> (column: Int, width: Int)? {
        while position <= last {
            guard let (unit, width) = next(position) else { return (automaton.endColumn, 1) }
            let column =
                unit < 128 ? Int(automaton.classes.byteColumns[Int(unit)]) : Int(automaton.classes[unit])
            let next = transitions[Int(state) + column]
            guard next >= 0 else { return (column, width) }
            if next & LazyDFA.Mark.matchFlag != 0 { tables.set(look, at: position) }
            state = next & ~LazyDFA.Mark.matchFlag
            position += isBackward ? -width : width
        }
        return nil
    }
}
