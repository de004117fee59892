/// Text in UTF-8 as the automaton reads it: one UTF-16 code unit after the other, without a copy.
///
/// A position is the index of a byte. A scalar beyond U+FFFF is two units, the lead surrogate at its first byte and the
/// trail surrogate at its third; every other scalar is one unit at its first byte. The buffer belongs to the caller and
/// outlives the call. Bytes that are not
/// UTF-8 read as some unit or other.
struct UTF8Units {
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always) var count: Int { bytes.count }

    /// The unit at `position`, which is below `count`, and how many bytes it takes.
    @inline(__always)
    func unit(at position: Int) -> (unit: UInt16, width: Int) {
        let byte = bytes[position]
        return byte < 0x80 ? (UInt16(byte), 1) : foreignUnit(at: position)
    }

    @inline(never)
    private func foreignUnit(at position: Int) -> (unit: UInt16, width: Int) {
        if bytes[position] & 0xc0 == 0x80 {
            guard position >= 2 else { return (0xfffd, 1) }
            let (value, length) = bytes.scalar(at: position - 2)
            return length == 4 ? (UInt16(truncatingIfNeeded: value & 0x3ff | 0xdc00), 2) : (0xfffd, 1)
        }
        let (value, length) = bytes.scalar(at: position)
        guard length == 4 else { return (UInt16(truncatingIfNeeded: value), length) }
        return (UInt16(truncatingIfNeeded: (value &- 0x10000) >> 10 | 0xd800), 2)
    }

    /// All units, for an executor that goes back and forth.
    var all: [UInt16] {
        [UInt16](unsafeUninitializedCapacity: count) { units, unitCount in
            var position = 0
            while position < count {
                let (unit, width) = unit(at: position)
                units[unitCount] = unit
                unitCount += 1
                position += width
            }
        }
    }

    /// The unit that ends where a scalar starts, at `position`, which is above 0.
    func unit(before position: Int) -> UInt16 {
        let (value, length) = bytes.scalar(before: position)
        return UInt16(truncatingIfNeeded: length == 4 ? value & 0x3ff | 0xdc00 : value)
    }

    /// Where `literal`, which is ASCII and therefore looks alike in UTF-8, first stands at or after `position`.
    @inline(__always)
    func firstOccurrence(ofASCII literal: UnitLiteral, from position: Int) -> Int? {
        ASCIIInput(bytes: bytes).firstOccurrence(of: literal, from: position)
    }

    /// Follows transitions as long as they lead to states. Returns the column at which they do not, `endColumn` at the
    /// end, and the width of its unit; `state` and `position` are then where it is to be read.
    ///
    /// Here a test spends its time, so the tables are read through pointers: checked, it took a third longer. What keeps
    /// the reads inside: every transition that is not negative is the start of a row, `state` among them; a row has
    /// `columnCount` entries; and every column of a byte or unit is less than that. The column is added to the pointer
    /// and not to the row, so that only the load itself lies between one state and the next.
    @inline(__always)
    func scan(
        _ transitions: [Int32], _ automaton: Automaton, _ state: inout Int32, _ position: inout Int
    ) -> (column: Int, width: Int) {
        transitions.withUnsafeBufferPointer { transitions in
            automaton.classes.byteColumns.withUnsafeBufferPointer { columns in
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
                        column = Int(columns[Int(bytes[index])])
                        let next = (base + column)[row]
                        guard next >= 0 else { break }
                        row = Int(next)
                        index += 1
                    }
                    guard index < bytes.count else { return (automaton.endColumn, 1) }
                    guard column == automaton.foreignColumn else { return (column, 1) }
                    let (unit, width) = unit(at: index)
                    column = Int(automaton.classes[unit])
                    let next = (base + column)[row]
                    guard next >= 0 else { return (column, width) }
                    row = Int(next)
                    index += width
                }
            }
        }
    }
}
