/// A value of a ``JSONDocument``. Use it only inside the ``JSONDocument/withRoot(_:)`` call that passed it.
package struct JSONCursor {
    /// The JSON type of a value.
    package enum Kind: Sendable { case null, bool, number, text, array, object }

    let storage: JSONStorage
    /// Number of the value's node.
    let index: Int

    @inline(__always)
    init(storage: JSONStorage, index: Int) {
        self.storage = storage
        self.index = index
    }

    @inline(__always) var node: JSONNode { storage.node(index) }

    /// The JSON type of the value.
    package var kind: Kind {
        switch node.kind {
        case .null: .null
        case .bool: .bool
        case .integer, .number: .number
        case .text, .loneSurrogateText: .text
        case .array: .array
        case .object: .object
        }
    }

    /// Whether the value is `null`.
    package var isNull: Bool { node.kind == .null }

    /// Whether the value is an array.
    package var isArray: Bool { node.kind == .array }

    /// Whether the value is an object.
    package var isObject: Bool { node.kind == .object }

    /// Number of elements or members; 0 for a value that is not a container.
    package var count: Int { node.kind == .array || node.kind == .object ? node.length : 0 }

    /// The boolean, or `nil` if the value is of another type.
    package var bool: Bool? { node.kind == .bool ? node.payload == 1 : nil }

    /// The Number, or `nil` if the value is of another type.
    package var number: Double? {
        switch node.kind {
        case .integer: Double(Int64(bitPattern: node.payload))
        case .number: Double(bitPattern: node.payload)
        default: nil
        }
    }

    /// The Number, exactly, if it is integral and fits 64 bits; `1.0` and `1e2` are integral.
    package var integer: Int64? { node.kind == .integer ? Int64(bitPattern: node.payload) : nil }

    /// The text, or `nil` if the value is of another type or has a lone surrogate. Equal texts of 16 to 64 bytes share
    /// their storage.
    package var text: String? { node.kind == .text ? storage.sharedText(of: storage.bytes(of: node)) : nil }

    /// The text, if it has a lone surrogate; otherwise `nil`.
    var illFormedText: IllFormedText? {
        node.kind == .loneSurrogateText ? IllFormedText(bytes: Array(storage.bytes(of: node))) : nil
    }

    /// The text for display, with U+FFFD in place of each lone surrogate; `nil` if the value is of another type.
    package var shownText: String? { text ?? illFormedText?.wellFormed }

    /// The text as a key, or `nil` if the value is of another type.
    package var key: PropertyKey? {
        switch node.kind {
        case .text:
            let bytes = storage.bytes(of: node)
            return PropertyKey(storage.sharedText(of: bytes), hash: PropertyKey.hash(bytes))
        default: return illFormedText.map { PropertyKey($0) }
        }
    }

    /// Whether the value is a text that contains this ASCII byte. No text is allocated.
    package func hasText(containing byte: UInt8) -> Bool {
        switch node.kind {
        case .text, .loneSurrogateText: storage.bytes(of: node).contains(byte)
        default: false
        }
    }

    /// Whether the value is this text. No text is allocated.
    package func isText(_ text: StaticString) -> Bool {
        guard node.kind == .text, node.length == text.utf8CodeUnitCount else { return false }
        return storage.bytes(of: node).hasBytes(of: text)
    }
}
