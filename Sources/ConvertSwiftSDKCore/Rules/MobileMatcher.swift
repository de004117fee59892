package import ConvertECMAScript

/// The mobile family of comparators: twelve matchers in which the JSON type of the rule's value decides how the event's
/// value is read.
package enum MobileMatcher: Sendable {
    case equals, notEquals, exists, notExists, greater, greaterOrEqual, less, lessOrEqual
    case contains, notContains, startsWith, endsWith

    /// The matcher behind an operator of the mobile family; any other one gives `exists`.
    init(_ comparison: ComparisonOperator) {
        switch comparison {
        case .mobileEquals: self = .equals
        case .mobileNotEquals: self = .notEquals
        case .mobileNotExists: self = .notExists
        case .mobileGreater: self = .greater
        case .mobileGreaterOrEqual: self = .greaterOrEqual
        case .mobileLess: self = .less
        case .mobileLessOrEqual: self = .lessOrEqual
        case .mobileContains: self = .contains
        case .mobileNotContains: self = .notContains
        case .mobileStartsWith: self = .startsWith
        case .mobileEndsWith: self = .endsWith
        default: self = .exists
        }
    }

    /// Whether `value`, `nil` if it is missing, meets the operands: any of them, or all of them for the two matchers that
    /// say "none of these". Without operands, because none of the rule's values could be compared with, nothing does.
    package func matches(_ value: JSValue?, _ operands: ArraySlice<MobileOperand>) -> Bool {
        if operands.isEmpty { return false }
        return switch self {
        case .exists: value != nil
        case .notExists: value == nil
        case .notEquals, .notContains: operands.allSatisfy { meets(value, $0) }
        default: operands.contains { meets(value, $0) }
        }
    }

    private func meets(_ value: JSValue?, _ operand: MobileOperand) -> Bool {
        switch operand {
        case .text(let text):
            guard let value = MobileOperand.text(of: value) else { return false }
            return meets(value.lowercased(), text)
        case .integer(let integer):
            guard let value = MobileOperand.integer(of: value) else { return false }
            return meets(value, integer)
        case .double(let double):
            guard let value = MobileOperand.double(of: value) else { return false }
            return meets(value, double)
        case .bool(let flag):
            guard let value = MobileOperand.bool(of: value) else { return false }
            return self == .equals ? value == flag : self == .notEquals && value != flag
        }
    }

    private func meets(_ value: String, _ operand: String) -> Bool {
        switch self {
        case .equals: value == operand
        case .notEquals: value != operand
        case .startsWith: value.hasPrefix(operand)
        case .endsWith: value.hasSuffix(operand)
        // An empty operand is neither contained nor not contained: the reference's search finds nothing to look for.
        case .contains: !operand.isEmpty && value.contains(operand)
        case .notContains: operand.isEmpty || !value.contains(operand)
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
