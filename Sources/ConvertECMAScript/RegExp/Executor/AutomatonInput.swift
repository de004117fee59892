/// An input as the automaton reads it: by columns of its transition table.
protocol AutomatonInput: RegExpInput {
    /// The column of the unit at `position`.
    func column(at position: Int, _ automaton: Automaton) -> Int

    /// Follows transitions as long as they lead to states. Returns the column at which they do not, `endColumn` at the
    /// end; `state` and `position` are then where it is to be read.
    func scan(_ transitions: [Int32], _ automaton: Automaton, _ state: inout Int32, _ position: inout Int) -> Int
}

// These loops are where a test spends its time, so they read the tables through pointers: checked, they took a third
// longer. What keeps them inside: every transition that is not negative is the start of a row, `state` among them; a row
// has `columnCount` entries; and every column of a unit is less than that. The column is added to the pointer and not to
// the row, so that only the load itself lies between one state and the next.

extension ASCIIInput: AutomatonInput {
    @inline(__always)
    func column(at position: Int, _ automaton: Automaton) -> Int {
        Int(automaton.classes.byteColumns[Int(bytes[position])])
    }

    @inline(__always)
    func scan(_ transitions: [Int32], _ automaton: Automaton, _ state: inout Int32, _ position: inout Int) -> Int {
        transitions.withUnsafeBufferPointer { transitions in
            automaton.classes.byteColumns.withUnsafeBufferPointer { columns in
                guard let base = transitions.baseAddress else { return automaton.endColumn }
                var row = Int(state)
                var index = position
                defer {
                    state = Int32(truncatingIfNeeded: row)
                    position = index
                }
                while index < bytes.count {
                    let column = Int(columns[Int(bytes[index])])
                    let next = (base + column)[row]
                    if next < 0 { return column }
                    row = Int(next)
                    index += 1
                }
                return automaton.endColumn
            }
        }
    }
}

extension UTF16Input: AutomatonInput {
    @inline(__always)
    func column(at position: Int, _ automaton: Automaton) -> Int { Int(automaton.classes[units[position]]) }

    func scan(_ transitions: [Int32], _ automaton: Automaton, _ state: inout Int32, _ position: inout Int) -> Int {
        transitions.withUnsafeBufferPointer { transitions in
            guard let base = transitions.baseAddress else { return automaton.endColumn }
            var row = Int(state)
            var index = position
            defer {
                state = Int32(truncatingIfNeeded: row)
                position = index
            }
            while index < units.count {
                let column = Int(automaton.classes[units[index]])
                let next = (base + column)[row]
                if next < 0 { return column }
                row = Int(next)
                index += 1
            }
            return automaton.endColumn
        }
    }
}
