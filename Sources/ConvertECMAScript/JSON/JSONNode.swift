/// One value of a ``JSONDocument``. A container's nodes follow it, depth first, so a document is one row of nodes.
struct JSONNode: BitwiseCopyable {
    /// What a node is. A text with lone surrogates is a kind of its own, because only it needs a look when text is made.
    enum Kind: UInt32, BitwiseCopyable {
        case null, bool, integer, number, text, loneSurrogateText, array, object

        /// The kind of these bits. Spelled out because the compiler turns that into no instruction at all, and
        /// `init(rawValue:)` into a call. Workload W7 pays for it.
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

    /// The name of what is not a member.
    static let noName = UInt32.max

    /// The longest text and the largest container, in bytes and in values: what fits beside the kind.
    static let maximumLength = 1 << 28 - 1

    /// Number of the member's name in the document's table, or ``noName``.
    let name: UInt32

    /// Kind, and above it the length of a text in bytes or of a container in values.
    private var head: UInt32

    /// A boolean, an integer or a double as bits; where a text starts; how many nodes a container takes, itself included,
    /// and in the upper half where its members' order begins, plus 1, or 0 if they are in order as they stand.
    private(set) var payload: UInt64

    @inline(__always)
    init(_ kind: Kind, name: UInt32, length: Int = 0, payload: UInt64 = 0) {
        self.name = name
        head = kind.rawValue | UInt32(truncatingIfNeeded: length) &<< 4
        self.payload = payload
    }

    @inline(__always) var kind: Kind { Kind(bits: head) }

    @inline(__always) var length: Int { Int(head &>> 4) }

    /// Whether both are of one kind and length.
    @inline(__always) func hasSameHead(as other: JSONNode) -> Bool { head == other.head }

    /// Where a text starts.
    @inline(__always) var start: Int { Int(truncatingIfNeeded: payload) }

    /// How many nodes the value takes, itself included.
    @inline(__always) var span: Int {
        head & 15 >= Kind.array.rawValue ? Int(UInt32(truncatingIfNeeded: payload)) : 1
    }

    /// Where the order of an object's members begins in the document's table, or `nil` if they are in order.
    @inline(__always) var orderStart: Int? {
        let start = Int(payload &>> 32)
        return start == 0 ? nil : start &- 1
    }

    /// Completes a container of `length` values in `span` nodes.
    @inline(__always)
    mutating func close(length: Int, span: Int) {
        head = head & 15 | UInt32(truncatingIfNeeded: length) &<< 4
        payload = UInt64(truncatingIfNeeded: span)
    }

    /// Says where the order of an object's members begins, and how many there are.
    mutating func reorder(start: Int, length: Int) {
        head = head & 15 | UInt32(truncatingIfNeeded: length) &<< 4
        payload = payload & 0xffff_ffff | UInt64(truncatingIfNeeded: start + 1) &<< 32
    }
}
