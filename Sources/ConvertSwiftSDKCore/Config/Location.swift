/// A place in the app or site, told by a rule graph over location properties.
public struct Location: Sendable {
    /// The id.
    public let id: EntityID

    /// The key as the reference compares it, under which a visitor's locations are stored; absent is `undefined`.
    public let key: String

    /// The name people gave it.
    public let name: String?

    /// The rules; without any the location never matches.
    public let rules: RuleTree?
}

extension Location: Decodable {
    private enum CodingKeys: String, CodingKey { case id, key, name, rules }

    /// Decodes a location; only a missing id fails.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.entityID(.id)
        key = container.entityKey(.key)
        name = container.ifValid(.name)
        rules = container.rules(.rules)
        if rules == nil { decoder.report("location \(id) has no rules: it never matches.") }
    }
}
