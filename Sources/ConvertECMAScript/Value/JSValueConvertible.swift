/// A Swift value that can be converted to a ``JSValue``.
///
/// Text, numbers, booleans, and arrays, sets and dictionaries of convertible values conform. With `ConvertSwiftSDK` or
/// `ConvertMobileRules`, `Date`, `UUID`, `URL` and `Decimal` conform too. An enum whose raw values are text or numbers
/// only declares the conformance. Any other type implements ``jsValue``:
///
///     extension Plan: JSValueConvertible {}
///     extension Money: JSValueConvertible {
///         var jsValue: JSValue { .number(amount) }
///     }
public protocol JSValueConvertible {
    /// The value.
    var jsValue: JSValue { get }
}

extension JSValue: JSValueConvertible {
    /// The value itself.
    public var jsValue: JSValue { self }
}

extension JSObject: JSValueConvertible {
    /// The object.
    public var jsValue: JSValue { .object(self) }
}

extension String: JSValueConvertible {
    /// The text.
    public var jsValue: JSValue { .string(self) }
}

extension Substring: JSValueConvertible {
    /// The text.
    public var jsValue: JSValue { .string(String(self)) }
}

extension Character: JSValueConvertible {
    /// The text of this character.
    public var jsValue: JSValue { .string(String(self)) }
}

extension JSValueConvertible where Self: RawRepresentable, RawValue: JSValueConvertible {
    /// The raw value.
    public var jsValue: JSValue { rawValue.jsValue }
}

extension Bool: JSValueConvertible {
    /// The boolean.
    public var jsValue: JSValue { .bool(self) }
}

extension Array: JSValueConvertible where Element: JSValueConvertible {
    /// The elements.
    public var jsValue: JSValue { .array(map(\.jsValue)) }
}

extension Set: JSValueConvertible where Element: JSValueConvertible {
    /// An array of the elements, sorted by their texts like JavaScript's `sort()`, because a set has no order.
    public var jsValue: JSValue {
        let elements = map { element in
            let value = element.jsValue
            return (value: value, text: ECMAScript.toString(value))
        }
        return .array(elements.sorted { ECMAScript.isLess($0.text, $1.text) }.map(\.value))
    }
}

extension Dictionary: JSValueConvertible where Key == String, Value: JSValueConvertible {
    /// The members, sorted by their keys, because a dictionary has no order.
    public var jsValue: JSValue { .object(JSObject(ordering: lazy.map { ($0.key, $0.value.jsValue) })) }
}
