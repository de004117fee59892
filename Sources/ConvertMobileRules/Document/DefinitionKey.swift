internal import ConvertECMAScript

/// A member of the definition of one type of condition.
///
/// A wrong type of any member that some type of condition knows refuses the document, so those that this one does not use
/// are read too. To ask for a member that is not there costs as much as to read one, and most definitions have no foreign
/// one: a key that is made from a name therefore knows the foreign members only, and `allKeys` lists those that are there.
protocol DefinitionKey: CodingKey {
    init(_ member: DefinitionMember)
    var member: DefinitionMember { get }

    /// Whether the member of this name is one that the type of condition uses.
    static func isOwn(_ name: String) -> Bool
}

extension DefinitionKey {
    init?(stringValue: String) {
        guard !Self.isOwn(stringValue), let member = DefinitionMember(rawValue: stringValue) else { return nil }
        self.init(member)
    }

    init?(intValue: Int) { nil }

    var stringValue: String { member.rawValue }
    var intValue: Int? { nil }
}

/// Every member of a definition that some type of condition knows.
enum DefinitionMember: String {
    case logic, conditions, key, matcher, values, events, value, from, to, searchType
}

struct GroupKey: DefinitionKey {
    let member: DefinitionMember
    init(_ member: DefinitionMember) { self.member = member }

    static func isOwn(_ name: String) -> Bool { name == "logic" || name == "conditions" }
}

struct MatcherKey: DefinitionKey {
    let member: DefinitionMember
    init(_ member: DefinitionMember) { self.member = member }

    static func isOwn(_ name: String) -> Bool { name == "key" || name == "matcher" || name == "values" }
}

struct HistoricalKey: DefinitionKey {
    let member: DefinitionMember
    init(_ member: DefinitionMember) { self.member = member }

    static func isOwn(_ name: String) -> Bool {
        switch name {
        case "events", "matcher", "value", "from", "to", "searchType": true
        default: false
        }
    }
}

extension KeyedDecodingContainer where Key: DefinitionKey {
    func checkForeignMembers(depth: Int) throws {
        for key in allKeys {
            switch key.member {
            case .logic, .key, .matcher, .searchType: _ = try text(key.member)
            case .conditions: _ = try conditions(depth: depth)
            case .values: _ = try values(likely: .text)
            case .events: _ = try events()
            case .value: _ = try value()
            case .from, .to: _ = try integer(key)
            }
        }
    }

    func text(_ member: DefinitionMember) throws -> String? {
        try decodeIfPresent(String.self, forKey: Key(member))
    }

    func value() throws -> JSValue? { try decodeIfPresent(ExactJSON.self, forKey: Key(.value))?.value }

    func events() throws -> [JSObject]? {
        try decodeIfPresent([ExactObject].self, forKey: Key(.events))?.map(\.object)
    }

    /// - Parameters:
    ///   - likely: the kind that is tried first; changes nothing but the time it takes.
    ///   - areLikely: as ``list(_:isLikely:)`` has it.
    func values(likely: JSONKind, areLikely: Bool = true) throws -> [JSValue]? {
        guard var list = try list(Key(.values), isLikely: areLikely) else { return nil }
        return try ExactJSON.elements(&list, likely: likely)
    }

    func conditions(depth: Int) throws -> [Condition]? {
        guard var list = try list(Key(.conditions)) else { return nil }
        guard depth < MobileRulesLimits.conditionDepth else {
            throw DocumentFault(
                .nestedTooDeep, codingPath,
                "groups are nested deeper than \(MobileRulesLimits.conditionDepth); flatten them.")
        }
        var conditions: [Condition] = []
        conditions.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            conditions.append(try Condition(list.nestedContainer(keyedBy: Condition.Keys.self), depth: depth + 1))
        }
        return conditions
    }
}

extension KeyedDecodingContainer {
    /// Whether the member is there and not null.
    func hasValue(_ key: Key) throws -> Bool { try contains(key) && !decodeNil(forKey: key) }

    /// The list of the member, or `nil` if it is missing or null.
    ///
    /// - Parameter isLikely: whether the member is expected to be there. If it is not, that takes as long as an attempt at
    ///   another kind, and counts as one.
    func list(_ key: Key, isLikely: Bool = true) throws -> (any UnkeyedDecodingContainer)? {
        guard isLikely || contains(key) else { return nil }
        do {
            return try nestedUnkeyedContainer(forKey: key)
        } catch DecodingError.valueNotFound {
            // Null. Asking for it first would cost every list a look-up.
            return nil
        } catch DecodingError.keyNotFound {
            try DecodingAttempts.current?.countOne(at: codingPath + [key])
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
