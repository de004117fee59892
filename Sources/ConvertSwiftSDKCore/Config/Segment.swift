/// A custom segment: visitors are put into it when its rules match, and stay in it.
public struct Segment: Sendable {
    /// The id, under which a visitor's custom segments are stored.
    public let id: EntityID

    /// The key as the reference compares it: absent is the text `undefined`.
    public let key: String

    /// The name people gave it.
    public let name: String?

    /// The rules; without any the segment never matches.
    public let rules: RuleTree?
}

extension Segment: Decodable {
    private enum CodingKeys: String, CodingKey { case id, key, name, rules }

    /// Decodes a segment; only a missing id fails.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.entityID(.id)
        key = container.entityKey(.key)
        name = container.ifValid(.name)
        rules = container.rules(.rules)
        if rules == nil { decoder.report("segment \(id) has no rules: it never matches.") }
    }
}
