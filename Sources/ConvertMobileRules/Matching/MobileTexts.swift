internal import ConvertECMAScript
internal import ConvertValues

/// The texts in mobile rules, lowercased and numbered. Canonically equivalent texts have the same number.
struct MobileTexts: ~Copyable, Sendable {
    /// One spelling of a text.
    // Keep it internal: Swift 6.3.1 does not compile `Rows` of a private type in a noncopyable struct.
    struct Entry: Sendable, BitwiseCopyable {
        /// Range in the bytes.
        let range: TableRange
        /// Number of the first entry that is canonically equivalent.
        let number: UInt32
        /// Index in the texts that cannot be compared by their bytes; negative for other texts.
        let string: Int32
    }

    private var bytes = Rows<UInt8>()
    private var entries = Rows<Entry>()
    private var index = HashIndex()
    private var strings: [String] = []
    /// Numbers by canonical equivalence, for texts that ``index`` does not find.
    private var numbers: [String: UInt32] = [:]

    /// Returns the number of `text`, and adds it if it is new.
    mutating func add(_ text: String) -> UInt32 {
        let start = bytes.count
        let string = MobileText.appendLowercase(of: text, to: &bytes)
        let range = TableRange(start: start, count: bytes.count - start)
        let hash = PropertyKey.hash(bytes[range])
        if let known = entry(of: bytes.text(at: range), hash: hash) {
            bytes.removeLast(bytes.count - start)
            return entries[known].number
        }
        let lowercase = string ?? String(decoding: bytes[range], as: UTF8.self)
        let number = numbers[lowercase] ?? UInt32(truncatingIfNeeded: entries.count)
        if number == entries.count { numbers[lowercase] = number }
        index.insert(entries.count, hash: hash)
        entries.append(Entry(range: range, number: number, string: string == nil ? -1 : Int32(strings.count)))
        if let string { strings.append(string) }
        return number
    }

    /// The entry with exactly these bytes.
    private func entry(of text: ByteText, hash: UInt32) -> Int? {
        index.place(hash: hash) { bytes.text(at: entries[$0].range) == text }
    }

    /// The bytes of the text with this number, or `nil` if the text cannot be compared by its bytes.
    @inline(__always)
    func plain(_ number: Int) -> ByteText? {
        let entry = entries[number]
        return entry.string < 0 ? bytes.text(at: entry.range) : nil
    }

    /// The text with this number.
    func string(_ number: Int) -> String {
        let entry = entries[number]
        return entry.string < 0 ? String(decoding: bytes[entry.range], as: UTF8.self) : strings[Int(entry.string)]
    }

    /// The number of a lowercase text; `nil` if no rule names it. Pass `string` if the text cannot be compared by its
    /// bytes.
    func number(of text: ByteText, _ string: String?) -> UInt32? {
        if let known = entry(of: text, hash: PropertyKey.hash(text)) { return entries[known].number }
        // A few texts that are not ASCII are canonically equivalent to an ASCII text.
        if strings.isEmpty && string == nil { return nil }
        return numbers[string ?? String(decoding: text, as: UTF8.self)]
    }
}
