internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension Condition {
    /// Reads a condition that stands within `depth` groups. What cannot be understood becomes ``unusable(_:)``; a member of
    /// the wrong type, an unknown `type` and groups nested too deep throw.
    init(_ cursor: JSONCursor, depth: Int, _ reader: inout RulesReader) throws(DocumentFault) {
        let type = try cursor.asObject().required(.type)
        let name = try type.asText()
        switch name {
        case "group": self = try Self.group(cursor.required(.definition).asObject(), depth: depth, &reader)
        case "matcher": self = try Self.matcher(cursor.required(.definition).asObject(), depth: depth, &reader)
        case "historical": self = try Self.historical(cursor.required(.definition).asObject(), depth: depth, &reader)
        default:
            throw DocumentFault(
                .unknownConditionType, at: type,
                "'\(name.prefix(40))' is no type of condition; use group, matcher or historical.")
        }
        if case .unusable(let reason) = self {
            reader.warn(
                "\(reason): this condition never holds.", reference: "\(reason): this condition is left out.",
                at: cursor)
        }
    }

    private static func group(
        _ definition: JSONCursor, depth: Int, _ reader: inout RulesReader
    ) throws(DocumentFault) -> Condition {
        try checkForeignMembers(of: definition, depth: depth, &reader) { $0 == .logic || $0 == .conditions }
        guard let logic = definition.present(.logic) else {
            _ = try reader.silently { reader throws(DocumentFault) in
                try conditions(of: definition, depth: depth, &reader)
            }
            return .unusable("a group without logic")
        }
        let name = try logic.asText()
        let isKnown = name == "and" || name == "or"
        if !isKnown, let list = definition[.conditions], list.count > 0 {
            reader.warn("'\(name.prefix(40))' is neither and nor or; the group never holds.", at: logic)
        }
        guard let conditions = try conditions(of: definition, depth: depth, &reader) else {
            return .unusable("a group without conditions")
        }
        if conditions.isEmpty { return .unusable("a group without members") }
        return .group(
            Condition.Group(logic: name == "and" ? .and : name == "or" ? .or : .unknown(name), conditions: conditions))
    }

    private static func matcher(
        _ definition: JSONCursor, depth: Int, _ reader: inout RulesReader
    ) throws(DocumentFault) -> Condition {
        try checkForeignMembers(of: definition, depth: depth, &reader) { $0 == .key || $0 == .matcher || $0 == .values }
        let key = try definition.present(.key)?.asText()
        let name = try definition.present(.matcher)?.asText()
        let comparison = name.flatMap { MobileMatcher(wireName: $0) }
        let values = try definition.present(.values)?.asArray().asValue().arrayValue ?? []
        guard let key else { return .unusable("a matcher without key") }
        guard let name else { return .unusable("a matcher without a matcher's name") }
        guard let comparison else { return .unusable("no matcher is called '\(name.prefix(40))'") }
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
        _ definition: JSONCursor, depth: Int, _ reader: inout RulesReader
    ) throws(DocumentFault) -> Condition {
        try checkForeignMembers(of: definition, depth: depth, &reader) { member in
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
            return .unusable("no matcher is called '\(name.prefix(40))'")
        }
        let knownType = typeName.flatMap(Condition.Historical.SearchType.init)
        if let searchType, let typeName, knownType == nil {
            reader.warn(
                "'\(typeName.prefix(40))' is none of any, ordered and mostRecent; the events count as any.",
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

    private static func conditions(
        of definition: JSONCursor, depth: Int, _ reader: inout RulesReader
    ) throws(DocumentFault) -> [Condition]? {
        guard let list = try definition.present(.conditions)?.asArray() else { return nil }
        guard depth < MobileRulesLimits.conditionDepth else {
            throw DocumentFault(
                .nestedTooDeep, at: definition,
                "groups are nested deeper than \(MobileRulesLimits.conditionDepth); flatten them.")
        }
        var conditions: [Condition] = []
        conditions.reserveCapacity(list.count)
        for member in list.elements { conditions.append(try Condition(member, depth: depth + 1, &reader)) }
        return conditions
    }

    /// A wrong type of any member that some type of condition knows refuses the document, so those that this one does not use
    /// are read too.
    private static func checkForeignMembers(
        of definition: JSONCursor, depth: Int, _ reader: inout RulesReader, isOwn: (RulesMember) -> Bool
    ) throws(DocumentFault) {
        for cursor in definition.members {
            guard let member = RulesMember(rawValue: cursor.nameNumber), !isOwn(member), !cursor.isNull else {
                continue
            }
            switch member {
            case .logic, .key, .matcher, .searchType: _ = try cursor.asText()
            case .conditions:
                _ = try reader.silently { reader throws(DocumentFault) in
                    try conditions(of: definition, depth: depth, &reader)
                }
            case .values: _ = try cursor.asArray().asValue()
            case .events: _ = try events(cursor)
            case .value: _ = try cursor.asValue()
            case .from, .to: _ = try cursor.asInteger()
            default: break
            }
        }
    }
}
