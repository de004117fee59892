internal import ConvertECMAScript

/// Something visitors do that is worth counting.
public struct Goal: Sendable {
    /// The id, which conversions are reported under.
    public let id: EntityID

    /// The key, or `nil` if the config gives none.
    public var key: String? { entityKey.text }

    /// The key as look-ups compare it.
    package let entityKey: EntityKey

    /// The name people gave it.
    public let name: String?

    /// The type, such as `code_trigger`.
    public let type: String?

    /// The rules that a conversion's rule data must match, if it brings any.
    public let rules: RuleTree?
}

extension Goal {
    /// Reads a goal; only a missing id leaves it out.
    init?(_ cursor: JSONCursor, _ reader: inout ConfigReader) {
        guard let id = reader.id(of: cursor, mustBeTruthy: true) else { return nil }
        self.id = id
        entityKey = EntityKey(cursor[.key])
        name = cursor[.name]?.shownText
        type = cursor[.type]?.text
        rules = reader.rules(cursor[.rules])
    }
}
