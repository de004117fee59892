internal import ConvertECMAScript
internal import ConvertValues

extension Condition {
    /// Reads a condition. An unusable condition becomes ``unusable(_:)``. Throws if a member has the wrong type, a
    /// `type` is unknown, or groups are nested too deeply. Nesting takes memory, but no call stack.
    init(_ cursor: JSONCursor, _ reader: inout RulesReader) throws(DocumentFault) {
        var open: [OpenList] = []
        // Contains the condition itself at the end.
        var read: [Condition] = []
        if let list = try Self.begin(cursor, depth: 0, into: &read, &reader) {
            if list.isSilent { reader.silence += 1 }
            open.append(list)
        }
        while let last = open.indices.last {
            if let member = open[last].rest.next() {
                let list = try Self.begin(member, depth: open.count, into: &open[last].conditions, &reader)
                guard let list else { continue }
                if list.isSilent { reader.silence += 1 }
                open.append(list)
            } else {
                let list = open.removeLast()
                if list.isSilent { reader.silence -= 1 }
                let condition = try list.end(&reader)
                if last == 0 { read.append(condition) } else { open[last - 1].conditions.append(condition) }
            }
        }
        self = read.first ?? .unusable("a condition without contents")
    }

    /// A list of conditions that is being read: the members of a group, or of another condition that has such a list.
    private struct OpenList {
        /// The object that has the list.
        enum Owner {
            case group(Logic)
            case groupWithoutLogic
            case leaf(definition: JSONCursor, isMatcher: Bool)
        }

        let cursor: JSONCursor
        let owner: Owner
        var rest: JSONChildren
        var conditions: [Condition] = []

        init(_ cursor: JSONCursor, _ owner: Owner, of list: JSONCursor) {
            self.cursor = cursor
            self.owner = owner
            rest = list.elements
            conditions.reserveCapacity(list.count)
        }

        /// Whether the conditions are not part of a rule, so that they need no warnings.
        var isSilent: Bool {
            if case .group = owner { false } else { true }
        }

        /// The condition that owns the list, after all of its members were read.
        func end(_ reader: inout RulesReader) throws(DocumentFault) -> Condition {
            switch owner {
            case .group(let logic) where !conditions.isEmpty:
                .group(Group(logic: logic, conditions: conditions))
            case .group: reader.unusable("a group without members", at: cursor)
            case .groupWithoutLogic: reader.unusable("a group without logic", at: cursor)
            case .leaf(let definition, let isMatcher): try leaf(cursor, definition, isMatcher: isMatcher, &reader)
            }
        }
    }

    /// Reads a condition and appends it to `conditions`, or returns the list of members that must be read before it.
    private static func begin(
        _ cursor: JSONCursor, depth: Int, into conditions: inout [Condition], _ reader: inout RulesReader
    ) throws(DocumentFault) -> OpenList? {
        let type = try cursor.asObject().required(.type)
        let isMatcher = type.isText("matcher")
        let isGroup = !isMatcher && type.isText("group")
        guard isMatcher || isGroup || type.isText("historical") else {
            let name = try type.asText()
            throw DocumentFault(
                .unknownConditionType, at: type,
                "'\(name.excerpt())' is not a type of condition; use group, matcher or historical.")
        }
        let definition = try cursor.required(.definition).asObject()
        reader.checkNames(of: cursor, as: .condition)
        reader.checkNames(of: definition, as: isGroup ? .group : isMatcher ? .matcher : .historical)
        let list = try definition.present(.conditions)?.asArray()
        if list != nil, depth >= MobileRulesLimits.conditionDepth {
            throw DocumentFault(
                .nestedTooDeep, at: definition,
                "groups are nested deeper than \(MobileRulesLimits.conditionDepth); flatten them.")
        }
        guard isGroup else {
            if let list { return OpenList(cursor, .leaf(definition: definition, isMatcher: isMatcher), of: list) }
            conditions.append(try leaf(cursor, definition, isMatcher: isMatcher, &reader))
            return nil
        }
        try checkForeignMembers(of: definition) { $0 == .logic }
        let logic = try definition.present(.logic).map { logic throws(DocumentFault) in
            try Self.logic(logic, list, &reader)
        }
        if let list { return OpenList(cursor, logic.map { .group($0) } ?? .groupWithoutLogic, of: list) }
        let reason = logic == nil ? "a group without logic" : "a group without conditions"
        conditions.append(reader.unusable(reason, at: cursor))
        return nil
    }

    private static func logic(
        _ cursor: JSONCursor, _ list: JSONCursor?, _ reader: inout RulesReader
    ) throws(DocumentFault) -> Logic {
        switch try cursor.asText() {
        case "and": return .and
        case "or": return .or
        case let name:
            if let list, list.count > 0 {
                reader.warn("'\(name.excerpt())' is not 'and' or 'or'; the group never holds.", at: cursor)
            }
            return .unknown(name)
        }
    }

    /// Reads a matcher or a historical condition. If it has a list of conditions, the list is ignored.
    private static func leaf(
        _ cursor: JSONCursor, _ definition: JSONCursor, isMatcher: Bool, _ reader: inout RulesReader
    ) throws(DocumentFault) -> Condition {
        let condition = isMatcher ? try matcher(definition, &reader) : try historical(definition, &reader)
        if case .unusable(let reason) = condition { return reader.unusable(reason, at: cursor) }
        return condition
    }

    private static func matcher(
        _ definition: JSONCursor, _ reader: inout RulesReader
    ) throws(DocumentFault) -> Condition {
        try checkForeignMembers(of: definition) { $0 == .key || $0 == .matcher || $0 == .values }
        let key = try definition.present(.key)?.asText()
        let name = try definition.present(.matcher)?.asText()
        let comparison = name.flatMap { MobileMatcher(wireName: $0) }
        let values = try definition.present(.values)?.asArray().asValue().arrayValue ?? []
        guard let key else { return .unusable("a matcher without key") }
        guard let name else { return .unusable("a matcher without a matcher's name") }
        guard let comparison else { return .unusable("'\(name.excerpt())' is not a matcher") }
        if key.utf8.count > MobileRulesLimits.keyLength {
            return .unusable("a matcher whose key is longer than \(MobileRulesLimits.keyLength) bytes")
        }
        if MobileOperand.count(in: values, for: comparison) == 0 {
            return .unusable("a matcher without comparable values")
        }
        let matcher = Condition.Matcher(key: key, matcher: name, values: values, comparison: comparison)
        reader.check(matcher, in: definition)
        return .matcher(matcher)
    }

    private static func historical(
        _ definition: JSONCursor, _ reader: inout RulesReader
    ) throws(DocumentFault) -> Condition {
        try checkForeignMembers(of: definition) { member in
            switch member {
            case .events, .matcher, .value, .from, .to, .searchType: true
            default: false
            }
        }
        let events = try definition.present(.events).map { list throws(DocumentFault) in try Self.events(list) }
        let matcher = definition.present(.matcher)
        let name = try matcher?.asText()
        let value = try definition.present(.value)?.asValue()
        let from = try definition.present(.from)?.asInteger()
        let to = try definition.present(.to)?.asInteger()
        let searchType = definition.present(.searchType)
        let typeName = try searchType?.asText()
        guard let events else { return .unusable("a historical condition without events") }
        guard let matcher, let name else { return .unusable("a historical condition without a matcher") }
        guard case .integer(let value)? = value else {
            return .unusable("a historical condition whose value is not an integer")
        }
        guard let comparison = MobileMatcher(wireName: name) else {
            return .unusable("'\(name.excerpt())' is not a matcher")
        }
        let knownType = typeName.flatMap(Condition.Historical.SearchType.init)
        if let searchType, let typeName, knownType == nil {
            reader.warn(
                "'\(typeName.excerpt())' is not any, ordered or mostRecent; the events count as any.",
                at: searchType)
        }
        if !comparison.comparesCounts {
            reader.warn("'\(name)' does not compare counts: this condition never holds.", at: matcher)
        }
        return .historical(
            Condition.Historical(
                events: events, searchType: knownType ?? .any, from: from, to: to, matcher: name, value: value,
                comparison: comparison, fingerprints: events.map { EventFingerprint(ofLiteral: $0) }))
    }

    private static func events(_ list: JSONCursor) throws(DocumentFault) -> [JSObject] {
        var events: [JSObject] = []
        for event in try list.asArray().elements { events.append(try event.asMembers()) }
        return events
    }

    /// Checks members that only other types of condition use. A wrong type rejects the document even if this condition
    /// does not use the member.
    private static func checkForeignMembers(
        of definition: JSONCursor, isOwn: (RulesMember) -> Bool
    ) throws(DocumentFault) {
        for cursor in definition.members {
            guard let member = RulesMember(rawValue: cursor.nameNumber), !isOwn(member), !cursor.isNull else {
                continue
            }
            switch member {
            case .logic, .key, .matcher, .searchType: _ = try cursor.asText()
            case .values: _ = try cursor.asArray().asValue()
            case .events: _ = try events(cursor)
            case .value: _ = try cursor.asValue()
            case .from, .to: _ = try cursor.asInteger()
            // The members of a list are read in any case.
            default: break
            }
        }
    }
}

extension RulesReader {
    /// Creates an unusable condition, and warns about the `reason`.
    fileprivate mutating func unusable(_ reason: String, at cursor: JSONCursor) -> Condition {
        warn(
            "\(reason): this condition never holds.", reference: "\(reason): this condition is left out.", at: cursor)
        return .unusable(reason)
    }
}
