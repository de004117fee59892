/// Something visitors do that is worth counting.
public struct Goal: Sendable {
    /// The id, which conversions are reported under.
    public let id: EntityID

    /// The key as the reference compares it: absent is the text `undefined`.
    public let key: String

    /// The name people gave it.
    public let name: String?

    /// The type, such as `code_trigger`.
    public let type: String?

    /// The rules that a conversion's rule data must match, if it brings any.
    public let rules: RuleTree?
}

extension Goal: Decodable {
    private enum CodingKeys: String, CodingKey { case id, key, name, type, rules }

    /// Decodes a goal; only a missing id fails.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.truthyEntityID(.id)
        key = container.entityKey(.key)
        name = container.ifValid(.name)
        type = container.ifValid(.type)
        rules = container.rules(.rules)
    }
}
