public import ConvertECMAScript
public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BucketedFeature {
    /// The variables, decoded as the app's own type; `nil` if the visitor does not have the feature.
    ///
    ///     struct Express: Decodable { var limit: Int; var title: String? }
    ///
    ///     if let express = try context.feature("express-pay").decode(Express.self) { … }
    ///
    /// A number that could not be cast is `null`.
    /// - Throws: `DecodingError` if the variables do not fit the type, or lack a required one. The config's author may
    ///   change them at any time, so an app must handle this; ``ConvertContext/decode(_:default:options:)`` returns a
    ///   default instead.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value? {
        guard status == .enabled else { return nil }
        return try JSValue.object(variables?.objectValue ?? JSObject()).decoded(as: type)
    }

    /// The variable, decoded as the app's own type, for example a variable of type `json`; `nil` if it is missing.
    ///
    ///     let layout = try feature.decode("layout", as: Layout.self)
    ///
    /// - Throws: `DecodingError` if the variable does not fit the type.
    public func decode<Value: Decodable>(_ variable: String, as type: Value.Type = Value.self) throws -> Value? {
        try self[variable]?.decoded(as: type)
    }

    /// The variable as a boolean; `nil` if it is missing or of another type.
    public func boolean(_ variable: String) -> Bool? { self[variable]?.boolValue }

    /// The variable as a whole number; `nil` if it is missing or not a whole number, such as NaN.
    public func integer(_ variable: String) -> Int? {
        switch self[variable] {
        case .integer(let integer): integer
        case .number(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The variable as a number; `nil` if it is missing or of another type. A value that cannot be cast is NaN, as in
    /// the JavaScript SDK.
    public func number(_ variable: String) -> Double? { self[variable]?.numberValue }

    /// The variable as text; `nil` if it is missing or of another type.
    public func string(_ variable: String) -> String? { self[variable]?.stringValue }

    /// The variable as an object; `nil` if it is missing or of another type.
    public func object(_ variable: String) -> JSObject? { self[variable]?.objectValue }
}

extension JSValue {
    fileprivate func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(ECMAScript.jsonText(of: self).utf8))
    }
}
