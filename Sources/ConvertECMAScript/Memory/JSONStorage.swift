import ConvertConcurrency

/// The contents of a ``JSONDocument``, behind a pointer, so that a cursor is small and fast to copy.
///
/// Invariant: a cursor is used only while its document lives; ``JSONDocument/withRoot(_:)`` ensures that. Names and
/// texts that are created on demand are stored here, so only one thread at a time may use a document. Numbers of nodes
/// are within the document, so `&+` never overflows. Unsafe code for speed: W7.
@safe
package struct JSONStorage: BitwiseCopyable {
    struct Contents: ~Copyable {
        let source: PaddedBytes
        let nodes: Rows<JSONNode>
        let names: JSONNameTable
        let order: Rows<UInt32>
        /// The keys that were created for names so far, by name number. The list can be shorter than the table of
        /// names.
        var keys: [PropertyKey?]
        /// Distinct texts that were created, if they are too long to be stored inline and short enough to be shared.
        var texts: [String] = []
        var textPlaces = HashIndex()
        /// The object in which a member was last found, and that member.
        var latest = (object: -1, member: 0)

        /// Takes the results of `parser`, which has reached the end. `keys` are the keys of the vocabulary's names.
        init(_ parser: consuming JSONParser, keys: [PropertyKey?]) {
            source = parser.source
            nodes = parser.nodes
            names = parser.names
            order = parser.order.places
            self.keys = keys
        }
    }

    private let pointer: UnsafeMutablePointer<Contents>

    @inline(__always)
    init(_ contents: borrowing Owned<Contents>) { unsafe pointer = contents.pointer }

    private var contents: Contents {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
    }

    /// The node with this number.
    @inline(__always)
    func node(_ index: Int) -> JSONNode { contents.nodes[index] }

    /// The number of nodes.
    var nodeCount: Int { contents.nodes.count }

    /// The node number of the member at `place` in the table of reordered members.
    @inline(__always)
    func orderedMember(_ place: Int) -> Int { Int(contents.order[place]) }

    /// The node number of an object's member with this name number; `nil` if there is no such member or `object` is not
    /// an object.
    ///
    /// The search begins at the member that was last found, so reading members in document order takes few steps.
    func member(_ name: UInt32, of object: Int) -> Int? {
        let node = node(object)
        guard node.kind == .object else { return nil }
        if let order = node.orderStart {
            return (order..<order + node.length).lazy.map(orderedMember).first { self.node($0).name == name }
        }
        let latest = contents.latest
        let start = latest.object == object ? latest.member : object &+ 1
        let found =
            firstNode(named: name, from: start, to: object &+ node.span)
            ?? firstNode(named: name, from: object &+ 1, to: start)
        if let found { contents.latest = (object, found) }
        return found
    }

    /// The first value with this name among the sibling nodes from `start` up to `end`.
    @inline(__always)
    private func firstNode(named name: UInt32, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            if node(index).name == name { return index }
            index &+= node(index).span
        }
        return nil
    }

    /// The bytes of a text.
    @inline(__always)
    func bytes(of text: JSONNode) -> ByteText {
        contents.source.slice(from: text.start, count: text.length)
    }

    /// Whether the `count` nodes from `left` on and the nodes from `right` on have the same contents, except for the
    /// names of the first two nodes. An object with reordered members, or with a repeated name, equals no other object.
    func areAlike(_ left: Int, _ right: Int, count: Int) -> Bool {
        for offset in 0..<count {
            let (left, right) = (node(left &+ offset), node(right &+ offset))
            guard left.hasSameHead(as: right), offset == 0 || left.name == right.name else { return false }
            switch left.kind {
            case .text, .loneSurrogateText:
                guard bytes(of: left) == bytes(of: right) else { return false }
            case .object:
                guard left.orderStart == nil, left.payload == right.payload else { return false }
            default:
                guard left.payload == right.payload else { return false }
            }
        }
        return true
    }

    /// A hash of nodes. It is equal for nodes for which ``areAlike(_:_:count:)`` is true.
    func hash(of start: Int, count: Int) -> UInt64 {
        let secrets = PropertyKey.secrets
        var hash: UInt64 = 0
        for index in start..<start &+ count {
            let node = node(index)
            let name = index == start ? JSONNode.noName : node.name
            let value =
                switch node.kind {
                case .text, .loneSurrogateText: UInt64(PropertyKey.hash(bytes(of: node)))
                default: node.payload &+ UInt64(node.kind.rawValue)
                }
            hash = PropertyKey.combine(PropertyKey.combine(hash, UInt64(name), secrets), value, secrets)
        }
        return hash
    }

    /// The table entry of the name with this number.
    @inline(__always)
    func name(_ number: UInt32) -> JSONNameTable.Entry { contents.names.entries[Int(number)] }

    /// The number of the name `name`, or `nil` if the document does not have it.
    func number(ofName name: String) -> UInt32? { name.withUTF8Bytes { contents.names.number(of: $0) } }

    /// The key of the name with this number, the same string instance each time.
    func key(_ number: UInt32) -> PropertyKey {
        let index = Int(number)
        let missing = contents.names.entries.count - contents.keys.count
        if index >= contents.keys.count { contents.keys += repeatElement(nil, count: missing) }
        if let key = contents.keys[index] { return key }
        let name = name(number)
        let key =
            name.hasLoneSurrogates
            ? PropertyKey(IllFormedText(bytes: Array(name.text)))
            : PropertyKey(JSONStorage.text(of: name.text), hash: name.hash)
        contents.keys[index] = key
        return key
    }

    /// Texts of up to this many bytes are stored inline, so sharing them saves nothing.
    private static let shortLength = 15
    /// Texts beyond this many bytes are seldom equal, and hashing them takes time.
    private static let sharedLength = 64

    /// The text of `bytes`, which must be in the source. Equal texts of a length between the two limits share their
    /// storage.
    func sharedText(of bytes: ByteText) -> String {
        if bytes.count <= Self.shortLength { return Self.shortText(of: bytes) }
        if bytes.count > Self.sharedLength { return String(decoding: bytes, as: UTF8.self) }
        let hash = PropertyKey.hash(bytes)
        let known = contents.textPlaces.place(hash: hash) { place in
            contents.texts[place].withUTF8Bytes { $0 == bytes }
        }
        if let known { return contents.texts[known] }
        let text = String(decoding: bytes, as: UTF8.self)
        contents.textPlaces.insert(contents.texts.count, hash: hash)
        contents.texts.append(text)
        return text
    }

    private static func shortText(of bytes: ByteText) -> String {
        String(capacity: shortLength, bytes)
    }

    /// The text of `bytes`, which must be UTF-8.
    private static func text(of bytes: ByteText) -> String {
        bytes.count <= shortLength ? shortText(of: bytes) : String(decoding: bytes, as: UTF8.self)
    }
}
