import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// A variation as it stands on the wire; without an allocation if `allocation` is `nil`.
func variation(_ id: JSValue?, _ allocation: JSValue?, status: JSValue? = nil) -> JSValue {
    var variation = JSObject()
    variation["id"] = id
    variation["traffic_allocation"] = allocation
    variation["status"] = status
    return .object(variation)
}

extension ProjectConfig.Experience {
    /// The experience `e` with `variations` as they stand on the wire.
    init(version: JSValue, _ variations: [JSValue]) throws {
        let wire: JSValue = ["id": "e", "version": version, "variations": .array(variations)]
        self = try #require(ProjectConfig.Experience(wire))
    }
}
