internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension Condition {
    /// Reads a condition. What cannot be understood becomes ``unusable(_:)``; a member of the wrong type, an unknown `type` and
    /// groups nested too deep throw. Depth costs memory, never stack.
    init(_ cursor: JSONCursor, _ reader: inout RulesReader) throws(DocumentFault) {
        var open: [OpenList] = []
        var next = try Self.begin(cursor, depth: 0, &reader)
        while true {
            switch next {
            case .list(let list):
                open.append(list)
                if list.isSilent { reader.silence += 1 }
            case .condition(let condition):
                guard !open.isEmpty else {
                    self = condition
                    return
                }
                open[open.count - 1].conditions.append(condition)
            }
            if let member = open[open.count - 1].rest.next() {
                next = try Self.begin(member, depth: open.count, &reader)
            } else {
                let list = open.removeLast()
                if list.isSilent { reader.silence -= 1 }
                next = .condition(try list.end(&reader))
            }
        }
    }

    /// A condition, or the list of conditions that has to be read before it is known.
    private enum Beginning {
        case condition(Condition)
        case list(OpenList)
    }

    /// The members of a group, or of something else that has them all the same.
    private struct OpenList {
        /// What has the list.
        enum Owner {
            case group(Logic)
            case groupWithoutLogic
            case leaf
        }

        let cursor: JSONCursor
        let owner: Owner
        var rest: JSONChildren
        var conditions: [Condition] = []

        /// Whether the members are no part of a rule, so that nothing in them is worth a warning.
        var isSilent: Bool {
            if case .group = owner { false } else { true }
        }

        /// The condition that has the list, which is read.
        func end(_ reader: inout RulesReader) throws(DocumentFault) -> Condition {
            switch owner {
            case .group where conditions.isEmpty:
                reader.warnIfUnusable(.unusable("a group without members"), at: cursor)
            case .group(let logic): .group(Group(logic: logic, conditions: conditions))
            case .groupWithoutLogic: reader.warnIfUnusable(.unusable("a group without logic"), at: cursor)
            case .leaf: try leaf(cursor, &reader)
            }
        }
    }

    /// Reads what is not the list of the condition's members.
    private static func begin(
        _ cursor: JSONCursor, depth: Int, _ reader: inout RulesReader
    ) throws(DocumentFault) -> Beginning {
        let type = try cursor.asObject().required(.type)
        let name = try type.asText()
        guard name == "group" || name == "matcher" || name == "historical" else {
            throw DocumentFault(
                .unknownConditionType, at: type,
                "'\(name.excerpt())' is no type of condition; use group, matcher or historical.")
        }
        let definition = try cursor.required(.definition).asObject()
        let list = try definition.present(.conditions)?.asArray()
        if list != nil, depth >= MobileRulesLimits.conditionDepth {
            throw DocumentFault(
                .nestedTooDeep, at: definition,
                "groups are nested deeper than \(MobileRulesLimits.conditionDepth); flatten them.")
        }
        guard name == "group" else {
            guard let list else { return .condition(try leaf(cursor, &reader)) }
            return .list(OpenList(cursor: cursor, owner: .leaf, rest: list.elements))
        }
        try checkForeignMembers(of: definition) { $0 == .logic }
        let logic = try definition.present(.logic).map { logic throws(DocumentFault) in
            try Self.logic(logic, list, &reader)
        }
        guard let list else {
            let reason = logic == nil ? "a group without logic" : "a group without conditions"
            return .condition(reader.warnIfUnusable(.unusable(reason), at: cursor))
        }
        let owner = logic.map { OpenList.Owner.group($0) } ?? .groupWithoutLogic
        return .list(OpenList(cursor: cursor, owner: owner, rest: list.elements))
    }

    private static func logic(
        _ cursor: JSONCursor, _ list: JSONCursor?, _ reader: inout RulesReader
    ) throws(DocumentFault) -> Logic {
        switch try cursor.asText() {
        case "and": return .and
        case "or": return .or
        case let name:
            if let list, list.count > 0 {
                reader.warn("'\(name.excerpt())' is neither and nor or; the group never holds.", at: cursor)
            }
            return .unknown(name)
        }
    }

    /// Reads a condition that has no members, or of whose members nothing is made.
    private static func leaf(_ cursor: JSONCursor, _ reader: inout RulesReader) throws(DocumentFault) -> Condition {
        let definition = try cursor.required(.definition).asObject()
        let isMatcher = cursor[.type]?.isText("matcher") == true
        return reader.warnIfUnusable(
            isMatcher ? try matcher(definition, &reader) : try historical(definition, &reader), at: cursor)
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
        guard let comparison else { return .unusable("no matcher is called '\(name.excerpt())'") }
        if key.utf8.count > MobileRulesLimits.keyLength {
            return .unusable("a matcher whose key is longer than \(MobileRulesLimits.keyLength) bytes")
        }
        let operands = MobileOperand.list(of: .array(values), for: comparison)
        if operands.isEmpty { return .unusable("a matcher none of whose values can be compared with") }
        let matcher = Condition.Matcher(
            key: key, matcher: name, values: values, comparison: comparison, operands: operands)
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
            return .unusable("a historical condition whose value is no integer")
        }
        guard let comparison = MobileMatcher(wireName: name) else {
            return .unusable("no matcher is called '\(name.excerpt())'")
        }
        let knownType = typeName.flatMap(Condition.Historical.SearchType.init)
        if let searchType, let typeName, knownType == nil {
            reader.warn(
                "'\(typeName.excerpt())' is none of any, ordered and mostRecent; the events count as any.",
                at: searchType)
        }
        if !comparison.comparesCounts {
            reader.warn("'\(name)' compares no counts: this condition never holds.", at: matcher)
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

    /// A wrong type of any member that some type of condition knows refuses the document, so those that this one does not use
    /// are read too.
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
            // Members are read in any case.
            default: break
            }
        }
    }
}

extension RulesReader {
    /// Returns `condition`, of which it warns if it cannot be used.
    fileprivate mutating func warnIfUnusable(_ condition: Condition, at cursor: JSONCursor) -> Condition {
        if case .unusable(let reason) = condition {
            warn(
                "\(reason): this condition never holds.", reference: "\(reason): this condition is left out.",
                at: cursor)
        }
        return condition
    }
}
