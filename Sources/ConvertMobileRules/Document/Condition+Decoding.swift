internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension Condition: Decodable {
    enum Keys: String, CodingKey { case type, definition }

    /// Decodes a condition. What cannot be understood becomes ``unusable(_:)``; a member of the wrong type, an unknown
    /// `type` and groups nested too deep throw.
    public init(from decoder: any Decoder) throws {
        self = try Condition(decoder.container(keyedBy: Keys.self), depth: 0)
    }

    /// Decodes a condition that stands within `depth` groups. Container by container: a decoder for each condition would
    /// take half as long again.
    init(_ container: KeyedDecodingContainer<Keys>, depth: Int) throws {
        let type = try container.decode(String.self, forKey: .type)
        switch type {
        case "group": self = try Self.group(container.definition(), depth: depth)
        case "matcher": self = try Self.matcher(container.definition(), depth: depth)
        case "historical": self = try Self.historical(container.definition(), depth: depth)
        default:
            throw DocumentFault(
                .unknownConditionType, container.codingPath + [Keys.type],
                "'\(type.prefix(40))' is no type of condition; use group, matcher or historical.")
        }
    }

    private static func group(_ definition: KeyedDecodingContainer<GroupKey>, depth: Int) throws -> Condition {
        try definition.checkForeignMembers(depth: depth)
        let logic = try definition.text(.logic)
        let conditions = try definition.conditions(depth: depth)
        guard let logic else { return .unusable("a group without logic") }
        guard let conditions else { return .unusable("a group without conditions") }
        if conditions.isEmpty { return .unusable("a group without members") }
        return .group(
            Condition.Group(
                logic: logic == "and" ? .and : logic == "or" ? .or : .unknown(logic), conditions: conditions))
    }

    private static func matcher(_ definition: KeyedDecodingContainer<MatcherKey>, depth: Int) throws -> Condition {
        try definition.checkForeignMembers(depth: depth)
        let key = try definition.text(.key)
        let matcher = try definition.text(.matcher)
        let comparison = matcher.flatMap { MobileMatcher(wireName: $0) }
        let values =
            try definition.values(
                likely: comparison?.comparesNumbersOnly == true ? .number : .text,
                areLikely: comparison?.comparesValues ?? false) ?? []
        guard let key else { return .unusable("a matcher without key") }
        guard let matcher else { return .unusable("a matcher without a matcher's name") }
        guard let comparison else { return .unusable("no matcher is called '\(matcher.prefix(40))'") }
        if key.utf8.count > MobileRulesLimits.keyLength {
            return .unusable("a matcher whose key is longer than \(MobileRulesLimits.keyLength) bytes")
        }
        let operands = MobileOperand.list(of: .array(values), for: comparison)
        if operands.isEmpty { return .unusable("a matcher none of whose values can be compared with") }
        return .matcher(
            Condition.Matcher(key: key, matcher: matcher, values: values, comparison: comparison, operands: operands))
    }

    private static func historical(_ definition: KeyedDecodingContainer<HistoricalKey>, depth: Int) throws -> Condition
    {
        try definition.checkForeignMembers(depth: depth)
        let events = try definition.events()
        let matcher = try definition.text(.matcher)
        let value = try definition.value()
        let from = try definition.integer(HistoricalKey(.from))
        let to = try definition.integer(HistoricalKey(.to))
        let searchType = try definition.text(.searchType)
        guard let events else { return .unusable("a historical condition without events") }
        guard let matcher else { return .unusable("a historical condition without a matcher") }
        guard case .integer(let value)? = value else {
            return .unusable("a historical condition whose value is no integer")
        }
        guard let comparison = MobileMatcher(wireName: matcher) else {
            return .unusable("no matcher is called '\(matcher.prefix(40))'")
        }
        let knownType = searchType.flatMap(Condition.Historical.SearchType.init)
        return .historical(
            Condition.Historical(
                events: events, searchType: knownType ?? .any, from: from, to: to, matcher: matcher, value: value,
                unknownSearchType: knownType == nil ? searchType : nil, comparison: comparison,
                fingerprints: events.map { EventFingerprint(ofLiteral: $0) }))
    }
}

extension MobileMatcher {
    fileprivate var comparesValues: Bool { self != .exists && self != .notExists }

    fileprivate var comparesNumbersOnly: Bool {
        switch self {
        case .greater, .greaterOrEqual, .less, .lessOrEqual: true
        default: false
        }
    }
}

extension KeyedDecodingContainer<Condition.Keys> {
    fileprivate func definition<Member: DefinitionKey>() throws -> KeyedDecodingContainer<Member> {
        try nestedContainer(keyedBy: Member.self, forKey: .definition)
    }
}
