#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import ConvertECMAScript

// Foundation's types as attributes.

extension Date: JSValueConvertible {
    /// The text of JavaScript's `toJSON`, in UTC and rounded to the nearest millisecond: `2026-11-25T18:27:21.500Z`.
    /// `null` for a date that JavaScript cannot represent: NaN, or a date more than 100 million days from 1970.
    public var jsValue: JSValue {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard abs(milliseconds) <= 8.64e15 else { return .null }
        return .string(CivilDate.text(milliseconds: Int(milliseconds)))
    }
}

extension UUID: JSValueConvertible {
    /// The text in lower case, the format of RFC 9562 and JavaScript's `randomUUID`. `uuidString` has capital letters,
    /// which no rule with `isIn` would match.
    public var jsValue: JSValue { .string(uuidString.lowercased()) }
}

extension URL: JSValueConvertible {
    /// The absolute URL as text.
    public var jsValue: JSValue { .string(absoluteString) }
}

extension Decimal: JSValueConvertible {
    /// The nearest double, because JavaScript has no decimals; NaN for a decimal that is not a number.
    public var jsValue: JSValue { JSValue(Double(description) ?? .nan) }
}
