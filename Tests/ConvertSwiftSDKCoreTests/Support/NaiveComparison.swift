import ConvertECMAScript
import ConvertSwiftSDKCore

/// The operators as the table of semantics words them. Every text is made anew at each comparison.
struct NaiveComparison {
    let semantics: RuleSemantics

    /// What a comparison says before it is negated.
    enum Answer: Equatable {
        case yes, no
        /// No match, negated or not.
        case closed

        init(_ holds: Bool) { self = holds ? .yes : .no }
    }

    /// ToString fails: an object has a member `toString` of its own.
    private struct Textless: Error {}

    /// Compares an attribute, `nil` if it is absent, with a rule's value.
    func answer(_ name: String, _ attribute: JSValue?, _ rule: JSValue?) -> Answer {
        switch name {
        case "exists": return Answer(isPresent(attribute))
        case "doesNotExist": return Answer(!isPresent(attribute))
        case "not_exists":
            return attribute == nil && semantics == .javaScript ? .closed : Answer(!isPresent(attribute))
        case "eq", "ne", "ex", "nx", "gt", "ge", "lt", "le", "co", "nc", "sw", "ew":
            return semantics == .standard ? NaiveMobileMatcher(name: name).answer(attribute, rule) : .closed
        default: break
        }
        guard let value = attribute ?? (semantics == .flat ? "" : nil) else { return .closed }
        do {
            switch name {
            case "equals", "equalsNumber", "matches": return Answer(try equals(value, rule))
            case "contains":
                let (value, part) = (try lower(value), try lower(rule))
                if part.unicodeScalars.allSatisfy(ECMAScript.isWhiteSpace) { return .yes }
                return Answer(includes(value, part))
            case "startsWith":
                let (value, part) = (units(try lower(value)), units(try lower(rule)))
                return Answer(value.starts(with: part))
            case "endsWith":
                let (value, part) = (units(try lower(value)), units(try lower(rule)))
                return Answer(value.reversed().starts(with: part.reversed()))
            case "isIn":
                let isListed = try isIn(value, rule)
                return Answer(isListed && attribute != nil)
            case "less": return try less(value, rule, orEqual: false)
            case "lessEqual": return try less(value, rule, orEqual: true)
            case "regexMatches":
                let answer = try matches(value, rule)
                return attribute == nil ? .no : answer
            default: return .closed
            }
        } catch {
            return .closed
        }
    }

    /// JavaScript's `String(value)`.
    private func text(_ value: JSValue?) throws -> String {
        switch value {
        case .array(let elements):
            return try elements.map { $0.isNull ? "" : try text($0) }.joined(separator: ",")
        case .object(let object):
            if object["toString"] != nil { throw Textless() }
            return "[object Object]"
        default: return ECMAScript.toString(value)
        }
    }

    private func lower(_ value: JSValue?) throws -> String { ECMAScript.toLowerCase(try text(value)) }

    private func units(_ text: String) -> [UInt16] { Array(text.utf16) }

    private func includes(_ text: String, _ part: String) -> Bool {
        let (text, part) = (units(text), units(part))
        return part.count <= text.count && (0...text.count - part.count).contains { text[$0...].starts(with: part) }
    }

    private func isPresent(_ value: JSValue?) -> Bool {
        guard let value, !value.isNull else { return false }
        return value.stringValue?.isEmpty != true
    }

    private func equals(_ value: JSValue, _ rule: JSValue?) throws -> Bool {
        switch value {
        case .array(let elements): return elements.contains { element in rule.map(element.isStrictlyEqual) ?? false }
        case .object(let object) where !object.isEmpty: return object[try text(rule)] != nil
        default: return units(try lower(value)) == units(try lower(rule))
        }
    }

    /// The value is split, and keeps its case; a list that is neither text nor array is empty.
    private func isIn(_ value: JSValue, _ rule: JSValue?) throws -> Bool {
        var list: [String] = []
        if case .string(let text)? = rule { list = split(text) }
        if case .array(let elements)? = rule { list = try elements.map(text) }
        let items = list.map { units(ECMAScript.toLowerCase($0)) }
        return split(try text(value)).contains { items.contains(units($0)) }
    }

    private func split(_ text: String) -> [String] {
        text.utf16.split(separator: 0x7c, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF16.self) }
    }

    private func less(_ value: JSValue, _ rule: JSValue?, orEqual: Bool) throws -> Answer {
        _ = try (text(value), text(rule))
        let left = Ordered(value)
        let right = Ordered(rule)
        switch (left, right) {
        case (.number(let left), .number(let right)): return Answer(orEqual ? left <= right : left < right)
        case _ where semantics == .flat: return .no
        case (.bool(let left), .bool(let right)): return Answer(orEqual ? !left || right : !left && right)
        case (.text(let left), .text(let right)):
            let isLess = left.lexicographicallyPrecedes(right)
            return Answer(isLess || orEqual && left == right)
        case (.object, .object):
            return Answer(
                orEqual ? ECMAScript.isLessThan(rule, value) == false : ECMAScript.isLessThan(value, rule) == true)
        default: return .closed
        }
    }

    /// A side of an order by its `typeof`, after numeric text has become a number.
    private enum Ordered {
        case number(Double), bool(Bool), text([UInt16]), object

        init(_ value: JSValue?) {
            switch value {
            case .bool(let flag): self = .bool(flag)
            case .string(let text) where !NumericShape.isNumeric(value): self = .text(Array(text.utf16))
            case .integer, .number, .string: self = .number(NumericShape.toNumber(value))
            default: self = .object
            }
        }
    }

    private func matches(_ value: JSValue, _ rule: JSValue?) throws -> Answer {
        let (value, pattern) = (try lower(value), try text(rule))
        do {
            return Answer(try RegExp(pattern, flags: "i").test(value))
        } catch {
            return semantics == .flat ? .no : .closed
        }
    }
}

/// The mobile matchers on an attribute of a visitor.
struct NaiveMobileMatcher {
    let name: String

    func answer(_ attribute: JSValue?, _ rule: JSValue?) -> NaiveComparison.Answer {
        guard let value = attribute, !value.isNull else {
            return name == "ex" ? .no : name == "nx" ? .yes : .closed
        }
        if name == "ex" || name == "nx" {
            // A list of nothing but nulls is one of values that were all dropped.
            let isDropped = rule?.arrayValue.map { !$0.isEmpty && $0.allSatisfy(\.isNull) } ?? false
            return .init(name == "ex" && !isDropped)
        }
        var values: [JSValue] = []
        if let rule, !rule.isNull { values = rule.arrayValue ?? [rule] }
        if values.isEmpty { values = [""] }
        let scalars = values.filter { !$0.isNull && $0.arrayValue == nil && $0.objectValue == nil }
        if scalars.isEmpty { return .no }
        let answers = scalars.map { meets(value, $0) }
        return .init(name == "ne" || name == "nc" ? !answers.contains(false) : answers.contains(true))
    }

    private func meets(_ value: JSValue, _ operand: JSValue) -> Bool {
        if value.arrayValue != nil || value.objectValue != nil { return false }
        switch operand {
        case .string(let text): return meets(string(value).lowercased(), text.lowercased())
        case .integer(let integer): return integerValue(value).map { meetsNumber($0, integer) } ?? false
        case .number(let number): return doubleValue(value).map { meetsNumber($0, number) } ?? false
        case .bool(let flag):
            let bool =
                value.boolValue ?? value.stringValue.map { $0.lowercased() == "true" } ?? (value.numberValue == 1)
            return name == "eq" ? bool == flag : name == "ne" && bool != flag
        default: return false
        }
    }

    private func string(_ value: JSValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        default: value.boolValue == true ? "true" : "false"
        }
    }

    private func integerValue(_ value: JSValue) -> Int? {
        if let flag = value.boolValue { return flag ? 1 : 0 }
        if case .integer(let integer) = value { return integer }
        return value.stringValue.map { Int($0) } ?? value.numberValue.flatMap { Int(exactly: $0.rounded(.towardZero)) }
    }

    private func doubleValue(_ value: JSValue) -> Double? {
        if let flag = value.boolValue { return flag ? 1 : 0 }
        return value.stringValue.map { Double($0) } ?? value.numberValue
    }

    private func meets(_ value: String, _ operand: String) -> Bool {
        switch name {
        case "eq": value == operand
        case "ne": value != operand
        case "co": !operand.isEmpty && value.contains(operand)
        case "nc": operand.isEmpty || !value.contains(operand)
        case "sw": value.hasPrefix(operand)
        case "ew": value.hasSuffix(operand)
        default: false
        }
    }

    private func meetsNumber<Number: Comparable>(_ value: Number, _ operand: Number) -> Bool {
        switch name {
        case "eq": value == operand
        case "ne": value != operand
        case "gt": value > operand
        case "ge": value >= operand
        case "lt": value < operand
        case "le": value <= operand
        default: false
        }
    }
}
