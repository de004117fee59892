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
        let definition = try Definition(
            container.nestedContainer(keyedBy: Definition.Keys.self, forKey: .definition), depth: depth)
        switch type {
        case "group": self = definition.group
        case "matcher": self = definition.matcherCondition
        case "historical": self = definition.historical
        default:
            throw DocumentFault(
                .unknownConditionType, container.codingPath + [Keys.type],
                "'\(type.prefix(40))' is no type of condition; use group, matcher or historical.")
        }
    }
}

/// A condition's definition: every member that any type of condition knows, since a wrong type of any refuses the document.
private struct Definition {
    var logic: String?
    var conditions: [Condition]?
    var key: String?
    var matcher: String?
    var values: [JSValue]?
    var events: [JSObject]?
    var value: JSValue?
    var from: Int64?
    var to: Int64?
    var searchType: String?

    enum Keys: String, CodingKey {
        case logic, conditions, key, matcher, values, events, value, from, to, searchType
    }

    init(_ container: KeyedDecodingContainer<Keys>, depth: Int) throws {
        logic = try container.decodeIfPresent(String.self, forKey: .logic)
        conditions = try Self.conditions(container, depth: depth)
        key = try container.decodeIfPresent(String.self, forKey: .key)
        matcher = try container.decodeIfPresent(String.self, forKey: .matcher)
        values = try Self.values(container, for: matcher)
        events = try container.decodeIfPresent([ExactObject].self, forKey: .events)?.map(\.object)
        value = try container.decodeIfPresent(ExactJSON.self, forKey: .value)?.value
        from = try container.integer(.from)
        to = try container.integer(.to)
        searchType = try container.decodeIfPresent(String.self, forKey: .searchType)
    }

    private static func conditions(_ container: KeyedDecodingContainer<Keys>, depth: Int) throws -> [Condition]? {
        guard var list = try container.list(.conditions) else { return nil }
        guard depth < MobileRulesLimits.conditionDepth else {
            throw DocumentFault(
                .nestedTooDeep, container.codingPath,
                "groups are nested deeper than \(MobileRulesLimits.conditionDepth); flatten them.")
        }
        var conditions: [Condition] = []
        conditions.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            conditions.append(try Condition(list.nestedContainer(keyedBy: Condition.Keys.self), depth: depth + 1))
        }
        return conditions
    }

    private static func values(
        _ container: KeyedDecodingContainer<Keys>, for matcher: String?
    ) throws -> [JSValue]? {
        guard var list = try container.list(.values) else { return nil }
        return try ExactJSON.elements(&list, likelyNumbers: ["gt", "ge", "lt", "le"].contains(matcher))
    }

    var group: Condition {
        guard let logic else { return .unusable("a group without logic") }
        guard let conditions else { return .unusable("a group without conditions") }
        if conditions.isEmpty { return .unusable("a group without members") }
        return .group(
            Condition.Group(
                logic: logic == "and" ? .and : logic == "or" ? .or : .unknown(logic), conditions: conditions))
    }

    var matcherCondition: Condition {
        guard let key else { return .unusable("a matcher without key") }
        guard let matcher else { return .unusable("a matcher without a matcher's name") }
        guard let comparison = MobileMatcher(wireName: matcher) else {
            return .unusable("no matcher is called '\(matcher.prefix(40))'")
        }
        if key.utf8.count > MobileRulesLimits.keyLength {
            return .unusable("a matcher whose key is longer than \(MobileRulesLimits.keyLength) bytes")
        }
        let values = values ?? []
        let operands = MobileOperand.list(of: .array(values), for: comparison)
        if operands.isEmpty { return .unusable("a matcher none of whose values can be compared with") }
        return .matcher(
            Condition.Matcher(key: key, matcher: matcher, values: values, comparison: comparison, operands: operands))
    }

    var historical: Condition {
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

extension KeyedDecodingContainer {
    /// Whether the member is there and not null.
    func hasValue(_ key: Key) throws -> Bool { try contains(key) && !decodeNil(forKey: key) }

    /// The list of the member, or `nil` if it is missing or null.
    func list(_ key: Key) throws -> (any UnkeyedDecodingContainer)? {
        guard contains(key) else { return nil }
        do {
            return try nestedUnkeyedContainer(forKey: key)
        } catch DecodingError.valueNotFound {
            // Null. Asking for it first would cost every list a look-up.
            return nil
        }
    }

    /// The integer of the member, or `nil` if it is missing or null.
    ///
    /// The decoder's own error for a fraction does not say where it stands.
    func integer(_ key: Key) throws -> Int64? {
        guard try hasValue(key) else { return nil }
        guard let integer = try? decode(Int64.self, forKey: key) else {
            throw DocumentFault(.wrongType, codingPath + [key], "this must be an integer; the document is refused.")
        }
        return integer
    }
}

/// Thrown while a document is decoded for what the decoder itself would accept.
struct DocumentFault: Error {
    let code: MobileRulesError.Code
    let path: [any CodingKey]
    let message: String

    init(_ code: MobileRulesError.Code, _ path: [any CodingKey], _ message: String) {
        self.code = code
        self.path = path
        self.message = message
    }
}
