internal import ConvertECMAScript

/// Numbers of the texts that rules of an attribute name, in lowercase, from 1 on in each slot. Any other text has the number
/// 0.
///
/// A value is looked up once, and then compared with any number of texts as an integer.
struct TextNumbers {
    /// One text of a slot.
    struct Entry: Sendable, BitwiseCopyable {
        let slot: UInt32
        let number: UInt32
        /// Range among the program's texts.
        let text: TableRange
    }

    private(set) var entries: [Entry] = []
    private var table = ProbeTable()
    /// How many texts each slot has.
    private var counts: [UInt32] = []

    /// The entry of the text at `range` of `texts`, which is made if there is none.
    mutating func entry(of range: TableRange, in slot: Int, _ texts: [UInt8]) -> Entry {
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
        /// Of so few texts in a slot each is compared (W1); of more a table finds the one to compare.
        static let comparedTexts = 16

        /// One text of a slot.
        private struct Text: Sendable, BitwiseCopyable {
            /// The first bytes, which tell most texts apart, and those behind them.
            let prefix: UInt64
            let rest: UInt64
            /// Range among the program's texts.
            let range: TableRange
        }

        /// The texts, slot by slot, by their numbers.
        private let entries: FrozenTable<Text>
        /// For each of them the bits of a short text without `|`; of others none.
        private let bits: FrozenTable<StringBits>
        /// For each slot the range of its texts.
        private let slots: FrozenTable<TableRange>
        /// Places of the texts in slots that have many.
        private let table: ProbeTable.View
        private let texts: FrozenTable<UInt8>

        /// A copy of `numbers`, whose texts lie in `texts`.
        init(_ numbers: TextNumbers, texts: FrozenTable<UInt8>) {
            self.texts = texts
            var start = 0
            let slots = numbers.counts.map { count in
                defer { start += Int(count) }
                return TableRange(start: start, count: Int(count))
            }
            var entries = [Text](repeating: Text(prefix: 0, rest: 0, range: TableRange()), count: numbers.entries.count)
            var bits = [StringBits](repeating: StringBits(), count: numbers.entries.count)
            var table = ProbeTable()
            for entry in numbers.entries {
                let text = ByteText(texts.elements, entry.text)
                let slot = slots[Int(entry.slot)]
                let place = slot.start + Int(entry.number) - 1
                entries[place] = Text(prefix: text.prefix, rest: text.rest, range: entry.text)
                if !text.bytes.contains(UInt8(ascii: "|")),
                    let short = ShortText(String(decoding: text.bytes, as: UTF8.self))
                {
                    bits[place] = short.bits
                }
                if slot.count > Self.comparedTexts {
                    table.insert(place, hash: TextNumbers.hash(text, Int(entry.slot)))
                }
            }
            self.entries = FrozenTable(entries)
            self.bits = FrozenTable(bits)
            self.slots = FrozenTable(slots)
            self.table = table.makeCopy()
        }

        /// Frees the numbers, and not the texts.
        func deallocate() {
            entries.deallocate()
            bits.deallocate()
            slots.deallocate()
            table.deallocate()
        }

        /// The number of `text` in `slot`.
        func number(of text: ByteText, in slot: Int) -> UInt32 {
            guard slot < slots.count else { return 0 }
            let range = slots[slot]
            if range.count > Self.comparedTexts { return foundNumber(of: text, in: slot, range) }
            let (prefix, rest) = (text.prefix, text.rest)
            let place = range.indices.first {
                let entry = entries[$0]
                return entry.prefix == prefix && entry.rest == rest && entry.range.count == text.count
                    && (text.count <= 16 || ByteText(texts.elements, entry.range) == text)
            }
            return place.map { UInt32(truncatingIfNeeded: $0 &- range.start &+ 1) } ?? 0
        }

        /// The range of the texts of `slot`, in which ``number(of:among:)`` looks.
        func texts(of slot: Int) -> TableRange { slot < slots.count ? slots[slot] : TableRange() }

        /// The number of `text` among those of a slot if it is one of them and has no `|`; else 0.
        @inline(__always)
        func number(of text: ShortText, among range: TableRange) -> UInt32 {
            // All are compared: which one it is, if any, would be guessed wrong.
            var found: UInt32 = 0
            var number: UInt32 = 0
            for bits in bits[range] {
                number &+= 1
                found |= number & (bits.match(text.bits) ? .max : 0)
            }
            return found
        }

        @inline(never)
        private func foundNumber(of text: ByteText, in slot: Int, _ range: TableRange) -> UInt32 {
            let place = table.place(hash: TextNumbers.hash(text, slot)) { place in
                range.indices.contains(place) && ByteText(texts.elements, entries[place].range) == text
            }
            return place.map { UInt32(truncatingIfNeeded: $0 - range.start + 1) } ?? 0
        }
    }
}
