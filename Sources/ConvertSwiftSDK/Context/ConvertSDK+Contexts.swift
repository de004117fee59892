public import ConvertECMAScript

/// Contexts, one for each visitor of a request.
extension ConvertSDK {
    /// A context for one visitor, with what is known about them right now.
    ///
    /// With a ledger, the visitor's record is loaded meanwhile and merged when it arrives: stored decisions win over
    /// those made until then. `loadContext(visitorID:attributes:locationProperties:)` waits for it.
    /// - Parameters:
    ///   - visitorID: the visitor's id. With an empty one nothing is decided.
    ///   - attributes: the visitor's properties, which audiences ask for. Report segments among them (`country`,
    ///     `browser`, `devices`, `source`, `campaign`, `visitorType`, `customSegments`) become stored segments, with
    ///     the context's first call that decides, tracks or changes something, or at its end: a preview that begins
    ///     before leaves no trace of them.
    ///   - locationProperties: where the visitor is, for calls that do not say so themselves.
    public func createContext(
        visitorID: consuming String, attributes: consuming JSObject = JSObject(),
        locationProperties: consuming JSObject? = nil
    ) -> ConvertContext {
        ConvertContext.make(
            visitorID: visitorID, attributes: attributes, locationProperties: locationProperties, bases: bases)
    }

    /// A context for one visitor whose properties are Swift values.
    ///
    ///     let context = sdk.createContext(
    ///         visitorID: user.id, attributes: ["plan": user.plan, "visits": user.visitCount])
    ///
    /// It is ``createContext(visitorID:attributes:locationProperties:)`` otherwise. A value that is `nil` is left out.
    /// The attributes of a type that is `Encodable` are `JSObject(encoding:)`.
    @_disfavoredOverload
    public func createContext(
        visitorID: String, attributes: SwiftProperties = [:], locationProperties: SwiftProperties? = nil
    ) -> ConvertContext {
        createContext(
            visitorID: visitorID, attributes: attributes.object, locationProperties: locationProperties?.object)
    }

    /// A context for one visitor whose properties are Swift values, once their record was loaded from the ledger, as by
    /// ``loadContext(visitorID:attributes:locationProperties:)``.
    @_disfavoredOverload
    public func loadContext(
        visitorID: String, attributes: SwiftProperties = [:], locationProperties: SwiftProperties? = nil
    ) async -> ConvertContext {
        await loadContext(
            visitorID: visitorID, attributes: attributes.object, locationProperties: locationProperties?.object)
    }

    /// A context for one visitor, once their record was loaded from the ledger.
    ///
    /// It waits for at most ``SDKConfiguration/loadTimeout``; a record that arrives later is merged then. Without a
    /// ledger it is `createContext(visitorID:attributes:locationProperties:)`.
    public func loadContext(
        visitorID: String, attributes: JSObject = JSObject(), locationProperties: JSObject? = nil
    ) async -> ConvertContext {
        let context = createContext(
            visitorID: visitorID, attributes: attributes, locationProperties: locationProperties)
        await context.waitUntilLoaded(atMost: engine.configuration.loadTimeout)
        return context
    }
}
