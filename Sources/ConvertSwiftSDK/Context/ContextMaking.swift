public import ConvertECMAScript

/// What makes contexts for attributes that a dictionary holds; see ``ConvertSDK/createContext``.
public struct ContextMaking: Sendable {
    fileprivate let sdk: ConvertSDK

    /// A context for one visitor whose properties are in a dictionary; those that are `nil` are left out.
    @_disfavoredOverload
    public func callAsFunction(
        visitorID: String, attributes: [String: (any JSValueConvertible)?], locationProperties: JSObject? = nil
    ) -> ConvertContext {
        sdk.createContext(
            visitorID: visitorID, attributes: JSObject(dictionary: attributes), locationProperties: locationProperties)
    }
}

/// What loads contexts for attributes that a dictionary holds; see ``ConvertSDK/loadContext``.
public struct ContextLoading: Sendable {
    fileprivate let sdk: ConvertSDK

    /// A context for one visitor whose properties are in a dictionary, once their record was loaded from the ledger.
    @_disfavoredOverload
    public func callAsFunction(
        visitorID: String, attributes: [String: (any JSValueConvertible)?], locationProperties: JSObject? = nil
    ) async -> ConvertContext {
        await sdk.loadContext(
            visitorID: visitorID, attributes: JSObject(dictionary: attributes), locationProperties: locationProperties)
    }
}

// A literal of variables would prefer a method that takes a dictionary, which has no order and takes longer to make, to
// the one that takes `SwiftProperties`. What two disfavored declarations offer together comes last.
extension ConvertSDK {
    /// Makes a context for attributes that a variable holds as a dictionary.
    ///
    ///     let context = sdk.createContext(visitorID: user.id, attributes: headers)
    ///
    /// It is `createContext(visitorID:attributes:locationProperties:)` otherwise. The attributes are ordered by their
    /// names.
    @_disfavoredOverload
    public var createContext: ContextMaking { ContextMaking(sdk: self) }

    /// Loads a context for attributes that a variable holds as a dictionary, as
    /// `loadContext(visitorID:attributes:locationProperties:)` does.
    @_disfavoredOverload
    public var loadContext: ContextLoading { ContextLoading(sdk: self) }
}
