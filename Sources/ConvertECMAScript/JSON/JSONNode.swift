/// One value of a ``JSONDocument``. A document is an array of nodes, in which the contents of a container follow it,
/// depth first.
struct JSONNode: BitwiseCopyable {
    /// The kind of a node. Texts with lone surrogates have their own kind, because they cannot become a Swift string.
    enum Kind: UInt32, BitwiseCopyable {
        case null, bool, integer, number, text, loneSurrogateText, array, object

        /// Creates the kind with these raw bits.
        // Keep the explicit switch: `init(rawValue:)` is slower (W7).
        @inline(__always)
        init(bits: UInt32) {
            switch bits & 7 {
            case 0: self = .null
            case 1: self = .bool
            case 2: self = .integer
            case 3: self = .number
            case 4: self = .text
            case 5: self = .loneSurrogateText
            case 6: self = .array
            default: self = .object
            }
        }
    }

    /// The name of a node that is not a member.
    static let noName = UInt32.max

    /// The longest text in bytes, and the largest container in values. Their length shares a word with the kind.
    static let maximumLength = 1 << 28 - 1

    /// Number of the member's name in the document's table, or ``noName``.
    let name: UInt32

    /// The kind in the lowest bits; above it the length of a text in bytes, or of a container in values.
    private var head: UInt32

    /// For a boolean, an integer or a double, its bits. For a text, its start. For a container, the lower half is the
    /// number of its nodes, including itself, and the upper half is the start of its members' order plus 1, or 0 if the
    /// members are in document order.
    private(set) var payload: UInt64

    @inline(__always)
    init(_ kind: Kind, name: UInt32, length: Int = 0, payload: UInt64 = 0) {
        self.name = name
        head = kind.rawValue | UInt32(truncatingIfNeeded: length) &<< 4
        self.payload = payload
    }

    @inline(__always) var kind: Kind { Kind(bits: head) }

    @inline(__always) var length: Int { Int(head &>> 4) }

    /// Whether both nodes have the same kind and length.
    @inline(__always) func hasSameHead(as other: JSONNode) -> Bool { head == other.head }

    /// The start of a text.
    @inline(__always) var start: Int { Int(truncatingIfNeeded: payload) }

    /// The number of nodes of the value, including itself.
    @inline(__always) var span: Int {
        head & 15 >= Kind.array.rawValue ? Int(UInt32(truncatingIfNeeded: payload)) : 1
    }

    /// The start of an object's member order in the document's table, or `nil` if the members are in document order.
    @inline(__always) var orderStart: Int? {
        let start = Int(payload &>> 32)
        return start == 0 ? nil : start &- 1
    }

    /// Completes a container that has `length` values and takes `span` nodes.
    @inline(__always)
    mutating func close(length: Int, span: Int) {
        head = head & 15 | UInt32(truncatingIfNeeded: length) &<< 4
        payload = UInt64(truncatingIfNeeded: span)
    }

    /// Sets the start of an object's member order, and the number of members.
    mutating func reorder(start: Int, length: Int) {
        head = head & 15 | UInt32(truncatingIfNeeded: length) &<< 4
        payload = payload & 0xffff_ffff | UInt64(truncatingIfNeeded: start + 1) &<< 32
    }
}
