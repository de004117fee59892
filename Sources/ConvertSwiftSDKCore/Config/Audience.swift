/// A named set of visitors, told by a rule graph over their properties.
public struct Audience: Sendable {
    /// The id.
    public let id: EntityID

    /// The key as the reference compares it: absent is the text `undefined`.
    public let key: String

    /// The name people gave it.
    public let name: String?

    /// Whether a visitor who is bucketed already stays, without being checked again (type `permanent`). Of any other
    /// type the audience is checked at every decision.
    public let isPermanent: Bool

    /// The rules; without any the audience never matches.
    public let rules: RuleTree?
}

extension Audience: Decodable {
    private enum CodingKeys: String, CodingKey { case id, key, name, type, rules }

    /// Decodes an audience; only a missing id fails.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.entityID(.id)
        key = container.entityKey(.key)
        name = container.ifValid(.name)
        isPermanent = container.ifValid(.type, as: String.self) == "permanent"
        rules = container.rules(.rules)
        if rules == nil { decoder.report("audience \(id) has no rules: it never matches.") }
    }
}
