internal import ConvertECMAScript
internal import ConvertValues

/// The texts that mobile rules name, lowercased and numbered. Texts that are canonically equivalent have one number.
struct MobileTexts {
    /// One spelling of a text.
    struct Entry: Sendable, BitwiseCopyable {
        /// Range among the bytes.
        let range: TableRange
        /// The first entry that is canonically equivalent.
        let number: UInt32
        /// Place among the texts that are not compared by their bytes; negative for one that is.
        let string: Int32
    }

    private(set) var bytes: [UInt8] = []
    private(set) var entries: [Entry] = []
    private(set) var strings: [String] = []
    private(set) var numbers: [String: UInt32] = [:]
    private(set) var table = ProbeTable()

    /// The number of `text`, and whether its bytes are compared.
    mutating func number(of text: String) -> UInt32 {
        let start = bytes.count
        let string = MobileText.appendLowercase(of: text, to: &bytes)
        let range = TableRange(start: start, count: bytes.count - start)
        let (hash, known) = bytes.withUnsafeBufferPointer { bytes in
            let text = ByteText(bytes, range)
            let hash = PropertyKey.hash(text.bytes)
            return (hash, table.place(hash: hash) { ByteText(bytes, entries[$0].range) == text })
        }
        if let known {
            bytes.removeLast(bytes.count - start)
            return entries[known].number
        }
        let lowercase = string ?? String(decoding: bytes[start...], as: UTF8.self)
        let number = numbers[lowercase] ?? UInt32(truncatingIfNeeded: entries.count)
        if number == entries.count { numbers[lowercase] = number }
        table.insert(entries.count, hash: hash)
        entries.append(Entry(range: range, number: number, string: string == nil ? -1 : Int32(strings.count)))
        if let string { strings.append(string) }
        return number
    }

    /// Whether the text of this number is compared by its bytes.
    func isPlain(_ number: UInt32) -> Bool { entries[Int(number)].string < 0 }

    /// Texts that do not change any more. Invariant: as that of ``FrozenTable``.
    struct Frozen: Sendable {
        private let bytes: FrozenTable<UInt8>
        private let entries: FrozenTable<Entry>
        private let table: ProbeTable.View
        private let strings: [String]
        /// By canonical equivalence, for the texts that ``table`` does not find.
        private let numbers: [String: UInt32]

        init(_ texts: MobileTexts) {
            bytes = FrozenTable(texts.bytes)
            entries = FrozenTable(texts.entries)
            table = texts.table.makeCopy()
            strings = texts.strings
            numbers = texts.numbers
        }

        /// Frees the texts.
        func deallocate() {
            bytes.deallocate()
            entries.deallocate()
            table.deallocate()
        }

        /// The bytes of the text of this number, or `nil` if they must not be compared.
        @inline(__always)
        func plain(_ number: Int) -> ByteText? {
            let entry = entries[number]
            return entry.string < 0 ? ByteText(bytes.elements, entry.range) : nil
        }

        /// The text of this number.
        func string(_ number: Int) -> String {
            let entry = entries[number]
            return entry.string < 0
                ? String(decoding: ByteText(bytes.elements, entry.range).bytes, as: UTF8.self)
                : strings[Int(entry.string)]
        }

        /// The number of a lowercase text, of which `string` is given if its bytes must not be compared; `nil` if no rule
        /// names it.
        func number(of text: ByteText, _ string: String?) -> UInt32? {
            let place = table.place(hash: PropertyKey.hash(text.bytes)) {
                ByteText(bytes.elements, entries[$0].range) == text
            }
            if let place { return entries[place].number }
            // A few texts beyond ASCII are equivalent to one of ASCII.
            if strings.isEmpty && string == nil { return nil }
            return numbers[string ?? String(decoding: text.bytes, as: UTF8.self)]
        }
    }
}
