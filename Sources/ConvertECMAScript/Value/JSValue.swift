/// A JSON value: in a config, a visitor attribute, an event or a recorded vector.
///
/// JavaScript's `undefined` is not a case. It is `nil` of `JSValue?`.
///
///     let attributes: JSObject = ["plan": "pro", "visits": 12, "tags": ["new", "vip"]]
///
/// Integers are distinct from doubles because the mobile matchers distinguish them. In ECMAScript both are Numbers, so
/// `.integer(5)` equals `.number(5)`, and an integer beyond 2^53 is read as the nearest double.
///
/// Two primitives are equal if ECMAScript's SameValueZero holds. Arrays and objects are compared member by member.
/// Texts are compared by code units: a composed and a decomposed `é` differ.
///
/// Arrays and objects can be nested to a depth of 512 on any thread, even one with a stack of 128 KB. Reading JSON
/// enforces that limit. Comparing, converting to text and writing JSON also work for deeper values, but releasing a
/// value takes about 200 bytes of stack per level.
public enum JSValue: Sendable {
    /// JSON's `null`.
    case null
    /// A boolean.
    case bool(Bool)
    /// A Number with an integral value that fits 64 bits.
    case integer(Int)
    /// Any Number, including NaN and the infinities.
    case number(Double)
    /// A well-formed String.
    case string(String)
    /// A String with a lone surrogate, which JSON can express but a Swift string cannot hold.
    case illFormedString(IllFormedText)
    /// An array.
    case array([JSValue])
    /// An object.
    case object(JSObject)
}

extension JSValue {
    /// The value as an ECMAScript Number, or `nil` if it is of another type. Other types are not converted.
    public var numberValue: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The text, or `nil` if the value is of another type or has a lone surrogate.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The text for display, with U+FFFD in place of each lone surrogate; `nil` if the value is of another type.
    package var shownText: String? {
        if case .illFormedString(let text) = self { text.wellFormed } else { stringValue }
    }

    /// The boolean, or `nil` if the value is of another type.
    public var boolValue: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// The elements, or `nil` if the value is of another type.
    public var arrayValue: [JSValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The object, or `nil` if the value is of another type.
    public var objectValue: JSObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// Whether the value is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// ToBoolean (ECMA-262 §7.1.2): `false`, `null`, `0`, `-0`, `NaN` and `""` are false, all other values are true.
    public var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .integer(let integer): integer != 0
        case .number(let number): !(number.isNaN || number == 0)
        case .string(let text): !text.isEmpty
        case .illFormedString, .array, .object: true
        }
    }
}

extension JSValue {
    /// IsStrictlyEqual (ECMA-262 §7.2.14), `===`: like `==`, except that NaN equals nothing, and that arrays and
    /// objects are never equal, because two values are separate objects.
    public func isStrictlyEqual(to other: JSValue) -> Bool {
        switch (self, other) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.string(let left), .string(let right)): return left.hasSameCodeUnits(as: right)
        case (.illFormedString(let left), .illFormedString(let right)): return left == right
        default:
            guard let left = numberValue, let right = other.numberValue else { return false }
            return left == right
        }
    }
}

extension JSValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A String.
    public init(stringLiteral text: String) { self = .string(text) }

    /// An integer.
    public init(integerLiteral integer: Int) { self = .integer(integer) }

    /// A Number.
    public init(floatLiteral number: Double) { self = .number(number) }

    /// A boolean.
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }

    /// An array of the elements, in order.
    public init(arrayLiteral elements: JSValue...) { self = .array(elements) }

    /// An object of the members. If several members have the same key, the last value counts.
    public init(dictionaryLiteral members: (String, JSValue)...) { self = .object(JSObject(members)) }
}
