/// The member names that a reader knows, numbered from 0. The names have the same numbers in every document that is
/// parsed with the vocabulary, so the reader compares numbers instead of names.
package final class JSONVocabulary: Sendable {
    /// `bytes` and `names` are unchecked, because they hold pointers. Invariant: they never change, and the names are
    /// in the bytes.
    nonisolated(unsafe) private let bytes: PaddedBytes
    nonisolated(unsafe) private let names: JSONNameTable

    /// The names as keys.
    let keys: [PropertyKey?]

    /// Creates a vocabulary of `names`, which must be unique.
    package init(_ names: [String]) {
        var text = Rows<UInt8>()
        for name in names { name.withUTF8Bytes { text.append(contentsOf: $0) } }
        unsafe bytes = PaddedBytes(copying: text.elements)
        var table = JSONNameTable()
        var start = 0
        for name in names {
            _ = unsafe table.intern(in: bytes, at: start, length: name.utf8.count, hasLoneSurrogates: false)
            start += name.utf8.count
        }
        unsafe self.names = table
        keys = names.map { PropertyKey($0) }
    }

    /// Creates a name table that begins with the vocabulary.
    func makeNameTable() -> JSONNameTable { unsafe JSONNameTable(copying: names) }
}
