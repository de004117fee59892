internal import ConvertECMAScript

/// A named set of visitors, defined by a rule graph over their properties.
public struct Audience: Sendable {
    /// The id.
    public let id: EntityID

    // It takes no room of its own here.

    /// Whether a visitor who is bucketed already stays, without being checked again (type `permanent`). Of any other
    /// type the audience is checked at every decision.
    public let isPermanent: Bool

    /// The key, or `nil` if the config gives none.
    public var key: String? { entityKey.text }

    /// The key as look-ups compare it.
    package let entityKey: EntityKey

    /// The name people gave it.
    public let name: String?

    /// The rules; without any the audience never matches.
    public let rules: RuleTree?
}

extension Audience {
    /// Reads an audience; only a missing id leaves it out.
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        isPermanent = cursor[.type]?.isText("permanent") ?? false
        rules = reader.rules(cursor[.rules])
        if rules == nil { reader.report("audience \(id.text.excerpt()) has no rules: it never matches.", at: cursor) }
    }
}
