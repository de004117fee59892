public import ConvertECMAScript
import ConvertValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSValue {
    /// What `value` encodes to as JSON: dates as they are attributes, all else as `JSONEncoder` does by default: data
    /// as Base64, a `UUID` in capitals.
    ///
    /// - Throws: what the value's `encode(to:)` throws; `EncodingError` for numbers that JSON does not have.
    public init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .custom { date, encoder in try date.jsValue.encode(to: encoder) }
        self = try ECMAScript.parseJSON(String(decoding: encoder.encode(value), as: UTF8.self)).withRoot { $0.value }
    }
}

extension JSObject {
    /// The members that `value` encodes to as JSON, in the order of their names; what it leaves out is absent.
    ///
    ///     let context = sdk.createContext(visitorID: user.id, attributes: try JSObject(encoding: user))
    ///
    /// - Throws: what the value's `encode(to:)` throws; `EncodingError` if it encodes to something else than an object.
    public init(encoding value: some Encodable) throws {
        guard case .object(let object) = try JSValue(encoding: value) else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [], debugDescription: "attributes are an object; give a type with members."))
        }
        self = object
    }
}
