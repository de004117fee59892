internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The members that lines have for decisions, written once: for each experience one without a variation and one for each
/// variation.
struct DecisionMembers: Sendable {
    private var bytes: [UInt8] = []
    /// Where each member ends in ``bytes``; it begins where the one before it ends.
    private var ends: [Int] = [0]
    /// For each experience where its members begin in ``ends``.
    private var starts: [Int] = []
    /// For each experience how long the member's name is, with its colon.
    private var nameLengths: [Int] = []

    /// The members for experiences, by their indices in the config.
    init(_ indices: [Int], of config: ProjectConfig) {
        // Of several experiences with one id the variations of the first count.
        var owners: [PropertyKey: Experience] = [:]
        for experience in config.experiences where owners[experience.id.key] == nil {
            owners[experience.id.key] = experience
        }
        for index in indices {
            let experience = config.experiences[index]
            starts.append(ends.count)
            var name = JSONBytes(capacity: 0)
            name.append(quoting: experience.entityKey.lookUp)
            name.append(":")
            nameLengths.append(name.bytes.count)
            append(name, .null)
            for variation in (owners[experience.id.key] ?? experience).variations {
                append(name, .string(variation.key ?? variation.id?.text ?? ""))
            }
        }
    }

    private mutating func append(_ name: JSONBytes, _ value: JSValue) {
        var member = name
        member.append(value: value)
        bytes.append(UInt8(ascii: ","))
        bytes += member.bytes
        ends.append(bytes.count)
    }

    /// Passes the member for a variation, `nil` for none, of the experience at `place` to `body`, with a comma before it.
    @inline(__always)
    func withMember(
        of place: Int, variation: Int?, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let index = starts[place] + (variation.map { $0 + 1 } ?? 0)
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[ends[index - 1]..<ends[index]])) }
    }

    /// The name of the members of the experience at `place`, with its colon.
    func name(of place: Int) -> ArraySlice<UInt8> {
        let start = ends[starts[place] - 1] + 1
        return bytes[start..<start + nameLengths[place]]
    }
}
