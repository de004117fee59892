internal import ConvertECMAScript

extension InternedTexts {
    /// Texts that do not change any more.
    final class Frozen: Sendable {
        /// Among so few texts of a slot a short one is looked for by comparing it with each (W1).
        static let comparedTexts = 16

        /// One text of a slot.
        struct Text: Sendable, BitwiseCopyable {
            let slot: Int32
            /// Range among the program's texts.
            let range: TableRange
            /// The bits of a short text without `|`; of others none.
            var bits = StringBits()
        }

        /// The texts, slot by slot, by their numbers.
        private let entries: Rows<Text>
        /// For each slot the range of its texts.
        private let slots: Rows<TableRange>
        /// Places of the texts.
        private let index: HashIndex
        /// The bytes of all texts.
        let bytes: Rows<UInt8>

        /// A copy of `texts`.
        init(_ texts: InternedTexts) {
            let bytes = Rows(texts.bytes)
            var entries = Rows<Text>()
            var slots = Rows<TableRange>(capacity: texts.slots.count)
            var index = HashIndex()
            for (slot, ranges) in texts.slots.enumerated() {
                slots.append(TableRange(start: entries.count, count: ranges.count))
                for range in ranges {
                    let text = bytes.text(at: range)
                    index.insert(entries.count, hash: Self.hash(text, slot))
                    var entry = Text(slot: Int32(truncatingIfNeeded: slot), range: range)
                    if !text.bytes.contains(UInt8(ascii: "|")),
                        let short = ShortText(String(decoding: text.bytes, as: UTF8.self))
                    {
                        entry.bits = short.bits
                    }
                    entries.append(entry)
                }
            }
            self.bytes = bytes
            self.entries = entries
            self.slots = slots
            self.index = index
        }

        private static func hash(_ text: ByteText, _ slot: Int) -> UInt32 {
            PropertyKey.hash(text.bytes) ^ UInt32(truncatingIfNeeded: slot) &* 0x9E37_79B1
        }

        /// The number of `text` in `slot`.
        func number(of text: ByteText, in slot: Int) -> UInt32 {
            let place = index.place(hash: Self.hash(text, slot)) { place in
                entries[place].slot == slot && bytes.text(at: entries[place].range) == text
            }
            return place.map { UInt32(truncatingIfNeeded: $0 - slots[slot].start + 1) } ?? 0
        }

        /// The range of the texts of `slot`, in which ``number(of:among:)`` looks.
        func texts(of slot: Int) -> TableRange { slot < slots.count ? slots[slot] : TableRange() }

        /// The number of `text` among those of a slot if it is one of them and has no `|`; else 0.
        @inline(__always)
        func number(of text: ShortText, among range: TableRange) -> UInt32 {
            // All are compared: which one it is, if any, would be guessed wrong.
            var found: UInt32 = 0
            var number: UInt32 = 0
            for index in range.indices {
                number &+= 1
                found |= number & (entries[index].bits.match(text.bits) ? .max : 0)
            }
            return found
        }
    }
}
