internal import ConvertECMAScript

/// Numbers of the texts that rules of an attribute name, from 1 on in each slot. Any other text has the number 0.
///
/// A value is looked up once, and then compared with any number of texts as an integer.
struct TextNumbers {
    /// One text of a slot.
    struct Entry: Sendable, BitwiseCopyable {
        let slot: UInt32
        let number: UInt32
        /// Range among the program's texts.
        let text: PoolRange
    }

    private(set) var entries: [Entry] = []
    private var table = ProbeTable()
    /// How many texts each slot has.
    private var counts: [UInt32] = []

    /// The entry of the text at `range` of `texts`, which is made if there is none.
    mutating func entry(of range: PoolRange, in slot: Int, _ texts: [UInt8]) -> Entry {
        texts.withUnsafeBufferPointer { texts in
            let text = ByteText(texts, range)
            let hash = Self.hash(text, slot)
            let place = table.place(hash: hash) { place in
                entries[place].slot == slot && ByteText(texts, entries[place].text) == text
            }
            if let place { return entries[place] }
            while counts.count <= slot { counts.append(0) }
            counts[slot] += 1
            let entry = Entry(slot: UInt32(truncatingIfNeeded: slot), number: counts[slot], text: range)
            table.insert(entries.count, hash: hash)
            entries.append(entry)
            return entry
        }
    }

    private static func hash(_ text: ByteText, _ slot: Int) -> UInt32 {
        PropertyKey.hash(text.bytes) ^ UInt32(truncatingIfNeeded: slot) &* 0x9E37_79B1
    }

    /// Numbers that do not change any more. Invariant: as that of ``FrozenTable``.
    struct Frozen: Sendable {
        private let table: ProbeTable.View
        private let entries: FrozenTable<Entry>
        private let texts: FrozenTable<UInt8>

        /// A copy of `numbers`, whose texts lie in `texts`.
        init(_ numbers: TextNumbers, texts: FrozenTable<UInt8>) {
            table = numbers.table.makeCopy()
            entries = FrozenTable(numbers.entries)
            self.texts = texts
        }

        /// Frees the numbers, and not the texts.
        func deallocate() {
            table.deallocate()
            entries.deallocate()
        }

        /// The number of `text` in `slot`.
        func number(of text: ByteText, in slot: Int) -> UInt32 {
            let place = table.place(hash: TextNumbers.hash(text, slot)) { place in
                entries[place].slot == slot && ByteText(texts.elements, entries[place].text) == text
            }
            return place.map { entries[$0].number } ?? 0
        }
    }
}
