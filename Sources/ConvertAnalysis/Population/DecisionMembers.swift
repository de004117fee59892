internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The parts of lines that contain decisions, serialized once: for each experience, one part without a variation, and
/// one for each variation. In JSON lines of visitors, each part is a member.
struct DecisionMembers: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each part in ``bytes``; it begins at the end of the previous one.
    private var ends: [Int] = [0]
    /// For each experience, the index of its first part's end in ``ends``.
    private var starts: [Int] = []
    /// For each experience, the length of the name before the variation, including the colon.
    private var nameLengths: [Int] = []

    /// Creates the parts for a `layout`, for the experiences at `indices` in the config.
    init(_ indices: [Int], of config: ProjectConfig, in layout: AssignmentLayout) {
        // If several experiences have one id, the variations of the first count.
        var owners: [PropertyKey: ProjectConfig.Experience] = [:]
        for experience in config.experiences where owners[experience.id.key] == nil {
            owners[experience.id.key] = experience
        }
        for index in indices {
            let experience = config.experiences[index]
            starts.append(ends.count)
            let name = Self.name(of: experience.entityKey.lookUp, in: layout)
            nameLengths.append(name.bytes.count)
            append(name, nil, layout.format)
            for variation in (owners[experience.id.key] ?? experience).variations {
                append(name, variation.key ?? variation.id?.text ?? "", layout.format)
            }
        }
    }

    /// The text before a variation.
    private static func name(of experience: PropertyKey, in layout: AssignmentLayout) -> JSONBytes {
        var name = JSONBytes(capacity: 0)
        switch (layout.rows, layout.format) {
        case (.visitors, .jsonLines):
            name.append(quoting: experience)
            name.append(":")
        case (.visitors, .csv): break
        case (.decisions, .jsonLines), (.assignments, .jsonLines):
            name.append(#""experience":"#)
            name.append(quoting: experience)
            name.append(#","variation":"#)
        case (.decisions, .csv), (.assignments, .csv):
            name.append(cell: experience.text)
            name.append(",")
        }
        return name
    }

    private mutating func append(_ name: JSONBytes, _ variation: String?, _ format: PopulationFormat) {
        var member = name
        switch format {
        case .jsonLines: member.append(value: JSValue(variation))
        case .csv: if let variation { member.append(cell: variation) }
        }
        bytes.append(UInt8(ascii: ","))
        bytes += member.bytes
        ends.append(bytes.count)
    }

    /// Passes the part for a variation of the experience at `place` to `body`, with a comma before it. `nil` stands for
    /// no variation.
    @inline(__always)
    func withMember(
        of place: Int, variation: Int?, _ body: (ByteText) -> Void
    ) {
        let index = starts[place] + (variation.map { $0 + 1 } ?? 0)
        bytes.withElements { body($0.slice(ends[index - 1]..<ends[index])) }
    }

    /// The member's name for the experience at `place`, with its colon.
    func name(of place: Int) -> ArraySlice<UInt8> {
        let start = ends[starts[place] - 1] + 1
        return bytes[start..<start + nameLengths[place]]
    }
}
