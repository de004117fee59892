internal import ConvertECMAScript

/// The object that ``Attributes`` come from, and texts that are made of its values.
///
/// It cannot be copied, so that what reads it counts no references (W1): Swift copies a copyable member to hand it on.
struct AttributeSource: ~Copyable, Sendable {
    let object: JSObject
    /// Texts of attributes that are read in other forms than their numbers, one after the other.
    private var texts = Rows<UInt8>()

    init(_ object: consuming JSObject) { self.object = object }

    /// A copy with the same texts.
    init(copying source: borrowing AttributeSource) {
        object = source.object
        texts = Rows(copying: source.texts)
    }

    /// The text at `range`, as long as none is added.
    @inline(__always)
    borrowing func text(at range: TableRange) -> ByteText { texts.text(at: range) }

    /// Bytes in which most attributes' texts have room.
    private static var usualTextCount: Int { 64 }

    /// Adds a text.
    mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> TableRange {
        if texts.count == 0 { texts = Rows(capacity: max(Self.usualTextCount, text.count)) }
        let range = TableRange(start: texts.count, count: text.count)
        texts.append(contentsOf: text)
        return range
    }

    /// Index of the member whose name is `name`, of which the hash is known.
    @inline(__always)
    borrowing func index(of name: ByteText, hash: UInt32) -> Int? { object.index(of: name, hash: hash) }
}
