/// Parses a document in one pass over its bytes. Open containers are on an explicit stack, so nesting takes no call
/// stack. Every index is within ``PaddedBytes``, so `&+` never overflows.
struct JSONParser: ~Copyable {
    /// A container whose end has not been reached.
    struct OpenContainer: BitwiseCopyable {
        /// Number of the container's node.
        var node: UInt32
        /// The number of values found in the container so far.
        var count: UInt32 = 0
        /// A bit for each name found so far, selected by the last six bits of the name's number.
        var seen: UInt64 = 0
        let isObject: Bool
        /// Whether a name may be repeated, or is an array index.
        var mayNeedOrder = false
    }

    let source: PaddedBytes
    let limits: JSONLimits
    var index: Int
    var nodes: Rows<JSONNode>
    var open = Rows<OpenContainer>(capacity: 32)
    var names: JSONNameTable
    var order = JSONMemberOrder()

    init(source: consuming PaddedBytes, start: Int, limits: JSONLimits, names: consuming JSONNameTable) {
        nodes = Rows(capacity: min(source.count / 12, limits.values) + 4)
        self.source = source
        self.limits = limits
        self.names = names
        index = start
    }

    /// Parses the document.
    mutating func parse() throws(JSONFailure) {
        // Keep state that changes in local variables, and rare cases in functions that are not inlined: otherwise
        // parsing is slower (W7).
        var container = OpenContainer(node: 0, isObject: false)
        nextValue: while true {
            skipWhiteSpace()
            var name = JSONNode.noName
            if container.isObject {
                name = try scanName(&container)
                skipWhiteSpace()
            }
            if nodes.count >= limits.values { throw JSONFailure(reason: .tooManyValues, offset: index) }
            let byte = source[index]
            switch byte {
            case UInt8(ascii: "\""):
                index &+= 1
                nodes.append(try scanText(name: name))
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if open.count >= limits.depth { throw JSONFailure(reason: .tooDeep, offset: index) }
                let isObject = byte == UInt8(ascii: "{")
                open.append(container)
                container = OpenContainer(node: UInt32(truncatingIfNeeded: nodes.count), isObject: isObject)
                nodes.append(JSONNode(isObject ? .object : .array, name: name))
                index &+= 1
                skipWhiteSpace()
                // Each closing byte is its opening byte plus 2.
                if source[index] != byte &+ 2 { continue nextValue }
                index &+= 1
                close(container)
                container = open.removeLast()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                nodes.append(try scanNumber(name: name))
            default:
                nodes.append(try scanWord(name: name))
            }
            // A value has ended, and containers may end with it.
            while true {
                container.count &+= 1
                skipWhiteSpace()
                let byte = source[index]
                if open.count == 0 {
                    if index == source.count { return }
                    throw JSONFailure(reason: .endOfDocument, offset: index)
                }
                if byte == UInt8(ascii: ",") {
                    index &+= 1
                    continue nextValue
                }
                guard byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw JSONFailure(
                        reason: container.isObject ? .commaOrEndOfObject : .commaOrEndOfArray, offset: index)
                }
                index &+= 1
                close(container)
                container = open.removeLast()
            }
        }
    }

    @inline(__always)
    private mutating func skipWhiteSpace() {
        while source[index] <= 0x20 {
            guard Self.isWhiteSpace(source[index]) else { return }
            index &+= 1
        }
    }

    @inline(__always)
    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }

    /// Scans a member's name and the colon, and returns the number of the name.
    @inline(__always)
    private mutating func scanName(_ container: inout OpenContainer) throws(JSONFailure) -> UInt32 {
        guard source[index] == UInt8(ascii: "\"") else {
            throw JSONFailure(reason: container.count == 0 ? .nameOrEndOfObject : .name, offset: index)
        }
        index &+= 1
        let name: UInt32
        if let taken = names.takeLikely(in: source, at: index) {
            name = taken.name
            index = taken.end &+ 1
        } else {
            let text = try JSONString.scan(source, from: index)
            name = names.intern(
                in: source, at: index, length: text.length, hasLoneSurrogates: text.hasLoneSurrogates)
            if names.entries.count > limits.names { throw JSONFailure(reason: .tooManyNames, offset: index &- 1) }
            index = text.end
        }
        let bit = 1 as UInt64 &<< UInt64(name & 63)
        if container.seen & bit != 0 || names.entries[Int(name)].arrayIndex != JSONNameTable.noArrayIndex {
            container.mayNeedOrder = true
        }
        container.seen |= bit
        skipWhiteSpace()
        guard source[index] == UInt8(ascii: ":") else { throw JSONFailure(reason: .colon, offset: index) }
        index &+= 1
        return name
    }

    @inline(__always)
    private mutating func close(_ container: OpenContainer) {
        let node = Int(container.node)
        nodes[node].close(length: Int(container.count), span: nodes.count &- node)
        if container.mayNeedOrder { order.arrange(node, in: &nodes, names) }
    }

    @inline(__always)
    private mutating func scanText(name: UInt32) throws(JSONFailure) -> JSONNode {
        let start = index
        let text = try JSONString.scan(source, from: start)
        index = text.end
        return JSONNode(
            text.hasLoneSurrogates ? .loneSurrogateText : .text, name: name, length: text.length,
            payload: UInt64(truncatingIfNeeded: start))
    }

    @inline(__always)
    private mutating func scanNumber(name: UInt32) throws(JSONFailure) -> JSONNode {
        let number = try JSONNumber.scan(source, from: index)
        index = number.end
        return JSONNode(number.isInteger ? .integer : .number, name: name, payload: number.bits)
    }

    @inline(__always)
    private mutating func scanWord(name: UInt32) throws(JSONFailure) -> JSONNode {
        let word = source.word(at: index)
        if UInt32(truncatingIfNeeded: word) == 0x6c6c_756e {
            index &+= 4
            return JSONNode(.null, name: name)
        }
        if UInt32(truncatingIfNeeded: word) == 0x6575_7274 {
            index &+= 4
            return JSONNode(.bool, name: name, payload: 1)
        }
        if word & 0xff_ffff_ffff == 0x65_736c_6166 {
            index &+= 5
            return JSONNode(.bool, name: name)
        }
        throw JSONFailure(reason: .value, offset: index &+ wordPrefixLength)
    }

    /// The number of bytes at `index` that match the beginning of `null`, `true` or `false`.
    private var wordPrefixLength: Int {
        ["null", "true", "false"].map { word in
            zip(word.utf8, index...).prefix { source[$0.1] == $0.0 }.count
        }.max() ?? 0
    }
}
