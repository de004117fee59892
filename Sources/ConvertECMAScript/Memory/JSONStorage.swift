/// What a ``JSONDocument`` owns, by one address, so that cursors are two words and copying one counts no references.
///
/// Invariant: a cursor is used only while its document lives, which ``JSONDocument/withRoot(_:)`` sees to. Names and texts
/// that are made on demand are stored here, so a document belongs to one thread at a time. Workload W7 pays for it.
package struct JSONStorage: BitwiseCopyable {
    struct Contents: ~Copyable {
        let source: PaddedBytes
        let nodes: Rows<JSONNode>
        let names: JSONNameTable
        let order: Rows<UInt32>
        /// For each name the key made of it, as far as names of the vocabulary go or a key was made of a name.
        var keys: [PropertyKey?]
        /// Texts that were made and are too long to be stored in place, each once.
        var texts: [String] = []
        var textPlaces = HashIndex()
        /// The object of which a member was found last, and that member.
        var latest = (object: -1, member: 0)

        /// Takes over what `parser` made, which has come to its end; `keys` are those of the vocabulary's names.
        init(_ parser: consuming JSONParser, keys: [PropertyKey?]) {
            source = parser.source
            nodes = parser.nodes
            names = parser.names
            order = parser.order.places
            self.keys = keys
        }
    }

    private let contents: UnsafeMutablePointer<Contents>

    @inline(__always)
    init(_ contents: borrowing Owned<Contents>) { self.contents = contents.pointer }

    /// The node of this number.
    @inline(__always)
    func node(_ index: Int) -> JSONNode { contents.pointee.nodes[index] }

    /// How many nodes there are.
    var nodeCount: Int { contents.pointee.nodes.count }

    /// The number of the member's node that is at `place` in the table of members that are out of order.
    @inline(__always)
    func orderedMember(_ place: Int) -> Int { Int(contents.pointee.order[place]) }

    /// The number of the node of an object's member, by the number of its name; `nil` if there is none or `object` is
    /// none.
    ///
    /// The search begins at the member that was found last, so it takes few steps where members are asked for in their
    /// order.
    func member(_ name: UInt32, of object: Int) -> Int? {
        let node = node(object)
        guard node.kind == .object else { return nil }
        if let order = node.orderStart {
            return (order..<order + node.length).lazy.map(orderedMember).first { self.node($0).name == name }
        }
        let latest = contents.pointee.latest
        let start = latest.object == object ? latest.member : object &+ 1
        let found =
            firstNode(named: name, from: start, to: object &+ node.span)
            ?? firstNode(named: name, from: object &+ 1, to: start)
        if let found { contents.pointee.latest = (object, found) }
        return found
    }

    /// The first value that has this name, of those of which the first one is at `start` and which end before `end`.
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
    func bytes(of text: JSONNode) -> UnsafeBufferPointer<UInt8> {
        contents.pointee.source.slice(from: text.start, count: text.length)
    }

    /// Whether the `count` nodes from `left` on and those from `right` on stand for the same values under the same
    /// names, but for the names of the first ones. An object whose members are out of order, or have a name twice, is
    /// like no other.
    func areAlike(_ left: Int, _ right: Int, count: Int) -> Bool {
        for offset in 0..<count {
            let (left, right) = (node(left &+ offset), node(right &+ offset))
            guard left.hasSameHead(as: right), offset == 0 || left.name == right.name else { return false }
            switch left.kind {
            case .text, .loneSurrogateText:
                guard bytes(of: left).hasSameBytes(as: bytes(of: right)) else { return false }
            case .object:
                guard left.orderStart == nil, left.payload == right.payload else { return false }
            default:
                guard left.payload == right.payload else { return false }
            }
        }
        return true
    }

    /// The same number for nodes that ``areAlike(_:_:count:)``.
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

    /// The entry of the name of this number.
    @inline(__always)
    func name(_ number: UInt32) -> JSONNameTable.Entry { contents.pointee.names.entries[Int(number)] }

    /// The number of the name `name`, or `nil` if the document has none.
    func number(ofName name: String) -> UInt32? { name.withUTF8Bytes { contents.pointee.names.number(of: $0) } }

    /// The key made of the name of this number, the same text each time.
    func key(_ number: UInt32) -> PropertyKey {
        let index = Int(number)
        let missing = contents.pointee.names.entries.count - contents.pointee.keys.count
        if index >= contents.pointee.keys.count { contents.pointee.keys += repeatElement(nil, count: missing) }
        if let key = contents.pointee.keys[index] { return key }
        let name = name(number)
        let key =
            name.hasLoneSurrogates
            ? PropertyKey(IllFormedText(bytes: Array(name.text)))
            : PropertyKey(JSONStorage.text(of: name.text), hash: name.hash)
        contents.pointee.keys[index] = key
        return key
    }

    /// Up to this many bytes of text are stored in place, so sharing them saves nothing.
    private static let shortLength = 15
    /// Longer texts are seldom the same, and hashing them takes time.
    private static let sharedLength = 64

    /// The text of `bytes`, which are among the source's. Texts of a common length that are alike share their storage.
    func sharedText(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.count <= Self.shortLength { return Self.shortText(of: bytes) }
        if bytes.count > Self.sharedLength { return String(decoding: bytes, as: UTF8.self) }
        let hash = PropertyKey.hash(bytes)
        let known = contents.pointee.textPlaces.place(hash: hash) { place in
            contents.pointee.texts[place].withUTF8Bytes { $0.hasSameBytes(as: bytes) }
        }
        if let known { return contents.pointee.texts[known] }
        let text = String(decoding: bytes, as: UTF8.self)
        contents.pointee.textPlaces.insert(contents.pointee.texts.count, hash: hash)
        contents.pointee.texts.append(text)
        return text
    }

    private static func shortText(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: shortLength) { $0.initialize(fromContentsOf: bytes) }
    }

    /// The text of `bytes`, which are UTF-8.
    private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        bytes.count <= shortLength ? shortText(of: bytes) : String(decoding: bytes, as: UTF8.self)
    }
}
