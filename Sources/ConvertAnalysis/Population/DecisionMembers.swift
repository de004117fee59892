internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// What lines have of decisions, written once: for each experience what stands there without a variation, and for each
/// variation. In the lines of visitors that are JSON it is a member.
struct DecisionMembers: Sendable {
    private var bytes: [UInt8] = []
    /// Where each member ends in ``bytes``; it begins where the one before it ends.
    private var ends: [Int] = [0]
    /// For each experience where its members begin in ``ends``.
    private var starts: [Int] = []
    /// For each experience how long the name before the variation is, with its colon.
    private var nameLengths: [Int] = []

    /// What a `layout` has of experiences, by their indices in the config.
    init(_ indices: [Int], of config: ProjectConfig, in layout: AssignmentLayout) {
        // Of several experiences with one id the variations of the first count.
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

    /// What stands before a variation.
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

    /// Passes what stands for a variation, `nil` for none, of the experience at `place` to `body`, with a comma before
    /// it.
    @inline(__always)
    func withMember(
        of place: Int, variation: Int?, _ body: (ByteText) -> Void
    ) {
        let index = starts[place] + (variation.map { $0 + 1 } ?? 0)
        bytes.withElements { body($0.slice(ends[index - 1]..<ends[index])) }
    }

    /// The name of the members of the experience at `place`, with its colon.
    func name(of place: Int) -> ArraySlice<UInt8> {
        let start = ends[starts[place] - 1] + 1
        return bytes[start..<start + nameLengths[place]]
    }
}
