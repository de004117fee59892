package import ConvertECMAScript

/// One element of a mobile matcher's `values`. The event's value is converted to the type of the operand. If the
/// conversion fails, the comparison does not hold.
@usableFromInline
package enum MobileOperand: Sendable, Hashable {
    /// Text in lower case.
    case text(MobileText)
    case integer(Int)
    case double(Double)
    case bool(Bool)

    /// An empty text.
    private static let empty = MobileOperand.text(MobileText(lowercasing: ""))

    /// Creates an operand from `value`, or returns `nil` for a value with which matchers cannot compare: null, an
    /// array, an object or text with a lone surrogate.
    package init?(_ value: JSValue) {
        switch value {
        case .string(let text): self = .text(MobileText(lowercasing: text))
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .double(number)
        case .bool(let flag): self = .bool(flag)
        case .illFormedString, .null, .array, .object: return nil
        }
    }

    /// The operands of a rule's value: the elements of an array, or the value itself. A missing value, null and an
    /// empty array have one operand, an empty text.
    ///
    /// Elements with which matchers cannot compare are dropped. If no element remains, the matcher never holds.
    /// Presence matchers read no operand; they never hold only if all elements are null.
    package static func list(of value: JSValue?, for matcher: MobileMatcher) -> [MobileOperand] {
        let values: [JSValue] =
            switch value {
            case nil, .null: []
            case .array(let elements): elements
            case let single?: [single]
            }
        if values.isEmpty { return [.empty] }
        guard matcher == .exists || matcher == .notExists else { return values.compactMap(MobileOperand.init) }
        return values.allSatisfy(\.isNull) ? [] : [.empty]
    }

    /// The number of operands in the result of ``list(of:for:)`` for `values`.
    package static func count(in values: [JSValue], for matcher: MobileMatcher) -> Int {
        if values.isEmpty { return 1 }
        if matcher == .exists || matcher == .notExists { return values.allSatisfy(\.isNull) ? 0 : 1 }
        return values.reduce(0) { $0 + (isOperand($1) ? 1 : 0) }
    }

    private static func isOperand(_ value: JSValue) -> Bool {
        switch value {
        case .string, .integer, .number, .bool: true
        case .illFormedString, .null, .array, .object: false
        }
    }

    /// A value as text: empty if it is missing, `nil` if it has no text form.
    package static func text(of value: JSValue?) -> String? {
        switch value {
        case nil: ""
        case .string(let text): text
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .bool(let flag): flag ? "true" : "false"
        case .illFormedString, .null, .array, .object: nil
        }
    }

    /// A value as an integer: decimal text, a number truncated toward zero, or 1 or 0 for a boolean. `nil` for any
    /// other value, and if the number does not fit.
    package static func integer(of value: JSValue?) -> Int? {
        switch value {
        case .string(let text): Int(text)
        case .integer(let integer): integer
        case .number(let number): Int(exactly: number.rounded(.towardZero))
        case .bool(let flag): flag ? 1 : 0
        case nil, .illFormedString, .null, .array, .object: nil
        }
    }

    /// A value as a double: numeric text, a number, or 1 or 0 for a boolean; `nil` for any other value.
    package static func double(of value: JSValue?) -> Double? {
        switch value {
        case .string(let text): Double(text)
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .bool(let flag): flag ? 1 : 0
        case nil, .illFormedString, .null, .array, .object: nil
        }
    }

    /// A value as a boolean, `false` if it is missing; `nil` if it has no text form.
    package static func bool(of value: JSValue?) -> Bool? {
        switch value {
        case nil: false
        case .string(let text): text.lowercased() == "true"
        case .integer(let integer): integer == 1
        case .number(let number): number == 1
        case .bool(let flag): flag
        case .illFormedString, .null, .array, .object: nil
        }
    }
}
