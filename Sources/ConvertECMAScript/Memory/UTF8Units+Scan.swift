extension UTF8Units {
    /// Follows transitions as long as they lead to states. Returns the column of the first transition that does not
    /// lead to a state (`endColumn` at the end of the input), and the width of its unit. Afterwards, that transition
    /// begins at `state` and `position`.
    ///
    /// All reads are within bounds. `state`, and every transition that is not negative, is the start of a row. A row
    /// has `columnCount` entries, and the column of every byte or unit is less than that.
    // Keep the pointers: tests spend most of their time here, and checked reads take a third longer. Keep adding the
    // column to the pointer and not to the row: then only the load separates one state from the next.
    @inline(__always)
    func scan(
        _ transitions: [Int32], _ automaton: Automaton, _ state: inout Int32, _ position: inout Int
    ) -> (column: Int, width: Int) {
        unsafe transitions.withUnsafeBufferPointer { transitions in
            unsafe automaton.classes.byteColumns.withUnsafeBufferPointer { columns in
                let bytes = unsafe bytes.buffer
                guard let base = transitions.baseAddress else { return (automaton.endColumn, 1) }
                var row = Int(state)
                var index = position
                defer {
                    state = Int32(truncatingIfNeeded: row)
                    position = index
                }
                while true {
                    var column = automaton.endColumn
                    while index < bytes.count {
                        column = unsafe Int(columns[Int(bytes[index])])
                        let next = unsafe (base + column)[row]
                        guard next >= 0 else { break }
                        index += 1
                        if row == Int(next) {
                            // Most inputs mainly consist of runs of bytes that keep the state, as in `.*`. The look-ups
                            // of a run do not wait for each other (W4l).
                            while index < bytes.count, unsafe (base + Int(columns[Int(bytes[index])]))[row] == next {
                                index += 1
                            }
                        }
                        row = Int(next)
                    }
                    guard index < bytes.count else { return (automaton.endColumn, 1) }
                    guard column == automaton.foreignColumn else { return (column, 1) }
                    let (unit, width) = unit(at: index)
                    column = Int(automaton.classes[unit])
                    let next = unsafe (base + column)[row]
                    guard next >= 0 else { return (column, width) }
                    row = Int(next)
                    index += width
                }
            }
        }
    }
}
