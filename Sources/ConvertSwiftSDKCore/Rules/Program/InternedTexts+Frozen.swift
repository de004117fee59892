internal import ConvertECMAScript

extension InternedTexts {
    /// Texts that cannot change any more.
    final class Frozen: Sendable {
        /// Up to this many texts of a slot are compared one by one; more are looked up by hash (W1).
        private static let comparedTexts = 16

        struct Text: Sendable, BitwiseCopyable {
            let slot: Int32
            /// Range in the bytes of all texts.
            let range: TableRange
            /// The text's first bytes.
            let prefix: UInt64
        }

        /// The texts, slot by slot, ordered by number.
        private let entries: Rows<Text>
        /// For each slot the range of its texts.
        private let slots: Rows<TableRange>
        private let index: HashIndex
        let bytes: Rows<UInt8>

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
                    entries.append(
                        Text(slot: Int32(truncatingIfNeeded: slot), range: range, prefix: text.firstWord))
                }
            }
            self.bytes = bytes
            self.entries = entries
            self.slots = slots
            self.index = index
        }

        private static func hash(_ text: ByteText, _ slot: Int) -> UInt32 {
            PropertyKey.hash(text) ^ UInt32(truncatingIfNeeded: slot) &* 0x9E37_79B1
        }

        /// The number of `text` in `slot`; 0 if the slot does not have it.
        @inline(__always)
        func number(of text: ByteText, in slot: Int) -> UInt32 {
            guard slot < slots.count else { return 0 }
            let range = slots[slot]
            if range.count > Self.comparedTexts { return numberByHash(of: text, in: slot) }
            let prefix = text.firstWord
            for index in range.indices {
                let entry = entries[index]
                guard entry.prefix == prefix, entry.range.count == text.count else { continue }
                // The prefix contains all of a short text.
                if text.count <= 8 || bytes.text(at: entry.range) == text {
                    return UInt32(truncatingIfNeeded: index &- range.start &+ 1)
                }
            }
            return 0
        }

        private func numberByHash(of text: ByteText, in slot: Int) -> UInt32 {
            let place = self.index.place(hash: Self.hash(text, slot)) { place in
                entries[place].slot == slot && bytes.text(at: entries[place].range) == text
            }
            return place.map { UInt32(truncatingIfNeeded: $0 - slots[slot].start + 1) } ?? 0
        }
    }
}
