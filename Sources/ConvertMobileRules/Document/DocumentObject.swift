/// The kinds of objects in a rules document whose members have fixed names.
enum DocumentObject: UInt32, CaseIterable {
    case document, rule, meta, condition, group, matcher, historical, consequence
    case merge, dispatch, schema, historyOperation, profile, signal, link, message, analytics

    /// The detail of a consequence of `type`; `nil` if the format defines no member names for it.
    init?(detailOf type: String) {
        switch type {
        case "add", "mod": self = .merge
        case "dispatch": self = .dispatch
        case "schema": self = .schema
        case "csp": self = .profile
        case "pb", "pii": self = .signal
        case "url": self = .link
        case "iam": self = .message
        case "an": self = .analytics
        default: return nil
        }
    }

    /// The required members. Without one of them, the object has no effect.
    private var required: [String] {
        switch self {
        case .document: ["version", "rules"]
        case .rule: ["condition", "consequences"]
        case .condition: ["type", "definition"]
        case .group: ["logic", "conditions"]
        case .matcher: ["key", "matcher"]
        case .historical: ["events", "matcher", "value"]
        case .consequence: ["id", "type", "detail"]
        case .merge: ["eventdata"]
        case .dispatch: ["type", "source", "eventdataaction"]
        case .schema: ["id", "schema", "data"]
        case .historyOperation: ["operation", "content"]
        case .profile: ["operation", "key"]
        case .signal: ["templateurl"]
        case .link: ["url"]
        case .message: ["template"]
        case .meta, .analytics: []
        }
    }

    /// The optional members.
    private var optional: [String] {
        switch self {
        case .rule: ["meta"]
        case .meta: ["reEvaluate"]
        case .matcher: ["values"]
        case .historical: ["from", "to", "searchType"]
        case .dispatch: ["eventdata"]
        case .profile: ["value"]
        case .signal: ["templatebody", "contenttype", "timeout"]
        case .message:
            [
                "html", "remoteAssets", "title", "content", "cancel", "confirm", "url", "wait", "date", "adb_deeplink",
                "userData", "category", "sound",
            ]
        case .analytics: ["action", "state", "contextdata"]
        case .document, .condition, .group, .consequence, .merge, .schema, .historyOperation, .link: []
        }
    }

    /// The names of the members.
    var names: MemberNames { Self.tables[Int(rawValue)] }

    private static let tables = allCases.map { MemberNames(required: $0.required, optional: $0.optional) }
}
