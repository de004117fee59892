/// A Swift value that has one meaning as a ``JSValue``.
///
/// Text, numbers, booleans, and arrays, sets and dictionaries of such values have; with `ConvertSwiftSDK` or
/// `ConvertMobileRules` also `Date`, `UUID`, `URL` and `Decimal`. An enum of strings or numbers conforms by saying so,
/// and another type by saying what it means:
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
    /// An array of the elements, ordered as JavaScript's `sort()` does, by their texts: a set has no order of its own.
    public var jsValue: JSValue {
        let elements = map { element in
            let value = element.jsValue
            return (value: value, text: ECMAScript.toString(value))
        }
        return .array(elements.sorted { ECMAScript.isLess($0.text, $1.text) }.map(\.value))
    }
}

extension Dictionary: JSValueConvertible where Key == String, Value: JSValueConvertible {
    /// The members, ordered by their keys: a dictionary has no order of its own.
    public var jsValue: JSValue { .object(JSObject(ordering: lazy.map { ($0.key, $0.value.jsValue) })) }
}
