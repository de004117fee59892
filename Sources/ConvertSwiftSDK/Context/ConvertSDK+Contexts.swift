public import ConvertECMAScript

/// Contexts, one for each visitor of a request.
extension ConvertSDK {
    /// Creates a context for a visitor, with the state that is known right now. Does not block.
    ///
    /// With a ledger, the visitor's record is loaded in the background and merged when it arrives: stored decisions
    /// replace the decisions that the context made before. `loadContext(visitorID:attributes:locationProperties:)`
    /// waits for the record.
    /// - Parameters:
    ///   - visitorID: the visitor's id. With an empty id, nothing is decided.
    ///   - attributes: the visitor's properties, for the rules of audiences. Report segments among them (`country`,
    ///     `browser`, `devices`, `source`, `campaign`, `visitorType`, `customSegments`) become stored segments with the
    ///     context's first call that decides, tracks or changes something, or when the context ends. If a preview
    ///     begins before that, they are not stored.
    ///   - locationProperties: properties of the visitor's location, for calls that do not pass any.
    public func createContext(
        visitorID: consuming String, attributes: consuming JSObject = JSObject(),
        locationProperties: consuming JSObject? = nil
    ) -> ConvertContext {
        ConvertContext.make(
            visitorID: visitorID, attributes: attributes, locationProperties: locationProperties, bases: bases)
    }

    /// Creates a context for a visitor whose properties are Swift values.
    ///
    ///     let context = sdk.createContext(
    ///         visitorID: user.id, attributes: ["plan": user.plan, "visits": user.visitCount])
    ///
    /// Otherwise the same as ``createContext(visitorID:attributes:locationProperties:)``. Values that are `nil` are
    /// left out. For a type that is `Encodable`, use `JSObject(encoding:)`.
    @_disfavoredOverload
    public func createContext(
        visitorID: String, attributes: SwiftProperties = [:], locationProperties: SwiftProperties? = nil
    ) -> ConvertContext {
        createContext(
            visitorID: visitorID, attributes: attributes.object, locationProperties: locationProperties?.object)
    }

    /// Creates a context for a visitor whose properties are Swift values, and waits until the visitor's record was
    /// loaded, like ``loadContext(visitorID:attributes:locationProperties:)``.
    @_disfavoredOverload
    public func loadContext(
        visitorID: String, attributes: SwiftProperties = [:], locationProperties: SwiftProperties? = nil
    ) async -> ConvertContext {
        await loadContext(
            visitorID: visitorID, attributes: attributes.object, locationProperties: locationProperties?.object)
    }

    /// Creates a context for a visitor, and waits until the visitor's record was loaded from the ledger.
    ///
    /// Waits at most ``SDKConfiguration/loadTimeout``; a record that arrives later is merged then. Without a ledger, or
    /// before there is a config, it returns at once.
    public func loadContext(
        visitorID: String, attributes: JSObject = JSObject(), locationProperties: JSObject? = nil
    ) async -> ConvertContext {
        let context = createContext(
            visitorID: visitorID, attributes: attributes, locationProperties: locationProperties)
        await context.waitUntilLoaded(atMost: engine.configuration.loadTimeout)
        return context
    }
}
