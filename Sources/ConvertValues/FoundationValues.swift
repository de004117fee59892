#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import ConvertECMAScript

// What an app has as Foundation's types, as attributes.

extension Date: JSValueConvertible {
    /// The text of JavaScript's `toJSON`, in UTC and to the nearest millisecond: `2026-11-25T18:27:21.500Z`. It is `null` for what
    /// is no date of JavaScript's: not a number, or more than 275,000 years away.
    public var jsValue: JSValue {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard abs(milliseconds) <= 8.64e15 else { return .null }
        return .string(CivilDate.text(milliseconds: Int(milliseconds)))
    }
}

extension UUID: JSValueConvertible {
    /// The text in small letters, as RFC 9562 and JavaScript's `randomUUID` write it. `uuidString` has capitals, which no rule
    /// with `isIn` would match.
    public var jsValue: JSValue { .string(uuidString.lowercased()) }
}

extension URL: JSValueConvertible {
    /// The address as text, in full.
    public var jsValue: JSValue { .string(absoluteString) }
}

extension Decimal: JSValueConvertible {
    /// The nearest number that a double holds: JavaScript has no decimals.
    public var jsValue: JSValue { JSValue(Double(description) ?? .nan) }
}
