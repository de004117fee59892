internal import ConvertECMAScript

/// The source object of ``Attributes``, and the texts made of its values.
// Keep it noncopyable: otherwise a reader that passes it on counts references (W1).
struct AttributeSource: ~Copyable, Sendable {
    let object: JSObject
    /// The texts of resolved attributes, one after the other. Texts that are only looked up are not stored.
    private var texts = Rows<UInt8>()

    init(_ object: consuming JSObject) { self.object = object }

    /// A copy with the same texts.
    init(copying source: borrowing AttributeSource) {
        object = source.object
        texts = Rows(copying: source.texts)
    }

    /// The text at `range`. It is valid until the next text is added.
    @inline(__always)
    borrowing func text(at range: TableRange) -> ByteText { texts.text(at: range) }

    mutating func append(_ text: ByteText) -> TableRange {
        // 64 bytes suffice for the attributes of most visitors.
        if texts.count == 0 { texts = Rows(capacity: max(64, text.count)) }
        let range = TableRange(start: texts.count, count: text.count)
        texts.append(contentsOf: text)
        return range
    }
}
