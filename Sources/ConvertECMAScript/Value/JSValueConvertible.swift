/// A Swift value that has one meaning as a ``JSValue``.
///
/// Text, numbers, booleans, and arrays and dictionaries of such values have. An app's own type conforms by saying what it
/// means, as an enum of strings does:
///
///     extension Plan: JSValueConvertible {
///         var jsValue: JSValue { .string(rawValue) }
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

extension Bool: JSValueConvertible {
    /// The boolean.
    public var jsValue: JSValue { .bool(self) }
}

extension Int: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { .integer(self) }
}

extension Int32: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { .integer(Int(self)) }
}

extension Int64: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { Int(exactly: self).map { .integer($0) } ?? .number(Double(self)) }
}

extension Double: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { JSValue(self) }
}

extension Float: JSValueConvertible {
    /// The number.
    public var jsValue: JSValue { JSValue(Double(self)) }
}

extension Array: JSValueConvertible where Element: JSValueConvertible {
    /// The elements.
    public var jsValue: JSValue { .array(map(\.jsValue)) }
}

extension Dictionary: JSValueConvertible where Key == String, Value: JSValueConvertible {
    /// The members, ordered by their keys: a dictionary has no order of its own.
    public var jsValue: JSValue { .object(JSObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.jsValue) })) }
}

/// Properties from Swift values: what an app knows of a visitor, or of where they are.
///
///     let context = sdk.createContext(
///         visitorID: user.id, attributes: ["plan": user.plan, "visits": user.visitCount, "coupon": user.coupon])
///
/// A value that is `nil` is left out: the attribute is absent. JavaScript's `null` is `JSValue.null`. An object in it whose
/// members are of several types is `JSObject(["total": total, "name": name])`.
public struct SwiftProperties: Sendable, ExpressibleByDictionaryLiteral {
    /// The properties.
    public let object: JSObject

    /// Properties by name; of two with one name the last one counts.
    public init(dictionaryLiteral members: (String, (any JSValueConvertible)?)...) {
        object = JSObject(members.compactMap { name, value in value.map { (name, $0.jsValue) } })
    }
}

extension JSObject {
    /// An object from Swift values, of which those that are `nil` are left out.
    ///
    ///     options.visitorProperties = JSObject(["plan": plan, "visits": count])
    @_disfavoredOverload
    public init(_ properties: SwiftProperties) { self = properties.object }
}
