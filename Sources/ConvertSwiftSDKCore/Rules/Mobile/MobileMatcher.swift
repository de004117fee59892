package import ConvertECMAScript

/// The mobile family of comparators: twelve matchers in which the JSON type of the rule's value decides how the event's
/// value is read.
package enum MobileMatcher: UInt8, Sendable, BitwiseCopyable {
    case equals, notEquals, exists, notExists, greater, greaterOrEqual, less, lessOrEqual
    case contains, notContains, startsWith, endsWith

    /// The matcher that the wire calls `name`, or `nil` if there is none; names are case-sensitive.
    package init?(wireName name: String) {
        guard case .mobile(let matcher)? = Operation.named(name) else { return nil }
        self = matcher
    }

    /// Whether all operands have to be met, as for the two matchers that say "none of these".
    package var needsAllOperands: Bool { self == .notEquals || self == .notContains }

    /// Whether some value can meet `operand`: order is of numbers, and texts alone contain, begin and end.
    package func compares(with operand: MobileOperand) -> Bool {
        switch self {
        case .exists, .notExists, .equals, .notEquals: return true
        case .greater, .greaterOrEqual, .less, .lessOrEqual:
            switch operand {
            case .integer, .double: return true
            case .text, .bool: return false
            }
        case .contains, .notContains, .startsWith, .endsWith:
            if case .text = operand { return true }
            return false
        }
    }

    /// Whether some count can meet it.
    package var comparesCounts: Bool {
        switch self {
        case .exists, .notExists, .contains, .notContains, .startsWith, .endsWith: false
        case .equals, .notEquals, .greater, .greaterOrEqual, .less, .lessOrEqual: true
        }
    }

    /// Whether `value`, `nil` if it is missing, meets the operands: any of them, or all of them for the two matchers that
    /// say "none of these". Without operands, because none of the rule's values could be compared with, nothing does.
    package func matches(_ value: JSValue?, _ operands: ArraySlice<MobileOperand>) -> Bool {
        var value = MobileValue(value)
        return matches(&value, operands)
    }

    /// As ``matches(_:_:)``, for a value that is compared many times.
    package func matches(_ value: inout MobileValue, _ operands: ArraySlice<MobileOperand>) -> Bool {
        if operands.isEmpty { return false }
        switch self {
        case .exists: return value.value != nil
        case .notExists: return value.value == nil
        case .notEquals, .notContains:
            for operand in operands where !meets(&value, operand) { return false }
            return true
        default:
            for operand in operands where meets(&value, operand) { return true }
            return false
        }
    }

    /// Compares a count with an integer, as a historical condition does.
    package func matches(_ count: Int, _ operand: Int) -> Bool { meets(count, operand) }

    private func meets(_ value: inout MobileValue, _ operand: MobileOperand) -> Bool {
        switch operand {
        case .text(let text):
            guard let value = value.lowercase else { return false }
            return meets(value, text)
        case .integer(let integer):
            guard let value = value.integer else { return false }
            return meets(value, integer)
        case .double(let double):
            guard let value = value.double else { return false }
            return meets(value, double)
        case .bool(let flag):
            guard let value = value.bool else { return false }
            return self == .equals ? value == flag : self == .notEquals && value != flag
        }
    }

    private func meets(_ value: MobileText, _ operand: MobileText) -> Bool {
        switch self {
        case .equals: value == operand
        case .notEquals: value != operand
        case .startsWith: value.hasPrefix(operand)
        case .endsWith: value.hasSuffix(operand)
        // An empty operand is neither contained nor not contained.
        case .contains: value.contains(operand)
        case .notContains: !value.contains(operand)
        default: false
        }
    }

    private func meets<Number: Comparable>(_ value: Number, _ operand: Number) -> Bool {
        switch self {
        case .equals: value == operand
        case .notEquals: value != operand
        case .greater: value > operand
        case .greaterOrEqual: value >= operand
        case .less: value < operand
        case .lessOrEqual: value <= operand
        default: false
        }
    }
}
