public import ConvertECMAScript
import ConvertValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSValue {
    /// Encodes `value` as JSON. Dates are encoded like dates in attributes; everything else as `JSONEncoder` does by
    /// default, for example data as Base64 and a `UUID` in uppercase.
    ///
    /// - Throws: errors of the value's `encode(to:)`; `EncodingError` for numbers that JSON cannot represent.
    public init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .custom { date, encoder in try date.jsValue.encode(to: encoder) }
        self = try ECMAScript.parseJSON(String(decoding: encoder.encode(value), as: UTF8.self)).withRoot { $0.value }
    }
}

extension JSObject {
    /// Encodes `value` as JSON. The members are in the order of their names; members that `value` does not encode are
    /// absent.
    ///
    ///     let context = sdk.createContext(visitorID: user.id, attributes: try JSObject(encoding: user))
    ///
    /// - Throws: errors of the value's `encode(to:)`; `EncodingError` if `value` does not encode as an object.
    public init(encoding value: some Encodable) throws {
        guard case .object(let object) = try JSValue(encoding: value) else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [], debugDescription: "not encoded as an object; use a type with members."))
        }
        self = object
    }
}
