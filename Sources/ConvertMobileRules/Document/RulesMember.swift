internal import ConvertECMAScript

/// The members that a rules document is read for, numbered as ``vocabulary`` has them.
enum RulesMember: UInt32, CaseIterable {
    case version, rules, condition, consequences, meta, id, type, detail, definition
    case logic, conditions, key, matcher, values, events, value, from, to, searchType

    /// The names by number.
    static let vocabulary = JSONVocabulary(allCases.map(\.text))

    /// The name on the wire.
    var text: String {
        switch self {
        case .version: "version"
        case .rules: "rules"
        case .condition: "condition"
        case .consequences: "consequences"
        case .meta: "meta"
        case .id: "id"
        case .type: "type"
        case .detail: "detail"
        case .definition: "definition"
        case .logic: "logic"
        case .conditions: "conditions"
        case .key: "key"
        case .matcher: "matcher"
        case .values: "values"
        case .events: "events"
        case .value: "value"
        case .from: "from"
        case .to: "to"
        case .searchType: "searchType"
        }
    }
}
