package import ConvertECMAScript

/// The twelve matchers of mobile rules. The JSON type of the rule's value determines how the event's value is read.
@usableFromInline
package enum MobileMatcher: UInt8, Sendable, BitwiseCopyable {
    case equals, notEquals, exists, notExists, greater, greaterOrEqual, less, lessOrEqual
    case contains, notContains, startsWith, endsWith

    /// Creates the matcher with the name `name` in the rules, or returns `nil` for an unknown name. Names are
    /// case-sensitive.
    package init?(wireName name: String) {
        guard let matcher = Self.byName[PropertyKey(name)] else { return nil }
        self = matcher
    }

    /// The matchers by their names in the rules.
    package static let names: [(name: String, matcher: MobileMatcher)] = [
        ("eq", .equals), ("ne", .notEquals), ("ex", .exists), ("nx", .notExists), ("gt", .greater),
        ("ge", .greaterOrEqual), ("lt", .less), ("le", .lessOrEqual), ("co", .contains), ("nc", .notContains),
        ("sw", .startsWith), ("ew", .endsWith),
    ]

    private static let byName = Dictionary(
        names.map { (PropertyKey($0.name), $0.matcher) }, uniquingKeysWith: { first, _ in first })

    /// Whether all operands must be met, as for the two matchers that mean "none of these".
    @inlinable package var needsAllOperands: Bool {
        @inline(__always) get {
            switch self {
            case .notEquals, .notContains: true
            default: false
            }
        }
    }

    /// Whether some value can meet `operand`, an element of the rule's values: only numbers have an order, and only
    /// texts contain, begin with and end with other texts. `nil` for null, an array or an object, with which no matcher
    /// compares.
    package func compares(with operand: JSValue) -> Bool? {
        switch (self, operand) {
        case (_, .null), (_, .array), (_, .object): nil
        case (.exists, _), (.notExists, _), (.equals, _), (.notEquals, _): true
        case (.greater, _), (.greaterOrEqual, _), (.less, _), (.lessOrEqual, _):
            switch operand {
            case .integer, .number: true
            default: false
            }
        case (.contains, .string), (.notContains, .string), (.startsWith, .string), (.endsWith, .string): true
        case (.contains, _), (.notContains, _), (.startsWith, _), (.endsWith, _): false
        }
    }

    /// Whether some count can meet the matcher.
    package var comparesCounts: Bool {
        switch self {
        case .exists, .notExists, .contains, .notContains, .startsWith, .endsWith: false
        case .equals, .notEquals, .greater, .greaterOrEqual, .less, .lessOrEqual: true
        }
    }

    /// Whether `value`, `nil` if it is missing, meets the operands: any of them, or all of them for the two matchers
    /// that mean "none of these". `false` without operands, because then no value of the rule is comparable.
    package func matches(_ value: JSValue?, _ operands: ArraySlice<MobileOperand>) -> Bool {
        var value = MobileValue(value)
        return matches(&value, operands)
    }

    /// Whether `value` meets the operands. The forms of the value are computed once for several calls.
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

    /// Compares a count with an integer, for a historical condition.
    package func matches(_ count: Int, _ operand: Int) -> Bool { meets(count, operand) }

    private func meets(_ value: inout MobileValue, _ operand: MobileOperand) -> Bool {
        switch operand {
        case .text(let text):
            guard let value = value.lowercase else { return false }
            return meets(text: value, text)
        case .integer(let integer):
            guard let value = value.integer else { return false }
            return meets(value, integer)
        case .double(let double):
            guard let value = value.double else { return false }
            return meets(value, double)
        case .bool(let flag):
            guard let value = value.bool else { return false }
            return meets(value, flag)
        }
    }

    /// Compares lowercased texts.
    @inlinable
    package func meets<Text: MobileSearchable>(text value: Text, _ operand: Text) -> Bool {
        switch self {
        case .equals: value == operand
        case .notEquals: value != operand
        case .startsWith: value.hasPrefix(operand)
        case .endsWith: value.hasSuffix(operand)
        case .contains: value.hasPart(operand)
        case .notContains: !value.hasPart(operand)
        default: false
        }
    }

    /// Compares flags, which have no order.
    @inlinable @inline(__always)
    package func meets(_ value: Bool, _ operand: Bool) -> Bool {
        self == .equals ? value == operand : self == .notEquals && value != operand
    }

    /// Compares numbers.
    @inlinable @inline(__always)
    package func meets<Number: Comparable>(_ value: Number, _ operand: Number) -> Bool {
        let order = value < operand ? Order.less : value > operand ? .greater : value == operand ? .equal : .none
        return accepted.contains(order)
    }

    /// The possible orders of a value relative to an operand.
    @usableFromInline
    struct Order: OptionSet {
        @usableFromInline let rawValue: UInt8

        @inlinable
        init(rawValue: UInt8) { self.rawValue = rawValue }

        @inlinable static var less: Order { Order(rawValue: 1) }
        @inlinable static var equal: Order { Order(rawValue: 2) }
        @inlinable static var greater: Order { Order(rawValue: 4) }
        /// The order between NaN and any number.
        @inlinable static var none: Order { Order(rawValue: 8) }
    }

    /// The orders in which a number meets the operand.
    @inlinable var accepted: Order {
        switch self {
        case .equals: .equal
        case .notEquals: [.less, .greater, .none]
        case .greater: .greater
        case .greaterOrEqual: [.greater, .equal]
        case .less: .less
        case .lessOrEqual: [.less, .equal]
        case .exists, .notExists, .contains, .notContains, .startsWith, .endsWith: []
        }
    }
}
