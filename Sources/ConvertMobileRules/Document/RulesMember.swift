internal import ConvertECMAScript

/// The members that the reader of rules documents reads, with their numbers in ``vocabulary``.
enum RulesMember: UInt32, CaseIterable {
    case version, rules, condition, consequences, meta, id, type, detail, definition
    case logic, conditions, key, matcher, values, events, value, from, to, searchType

    /// The names, indexed by number.
    static let vocabulary = JSONVocabulary(allCases.map(\.text))

    /// The name in the JSON.
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
