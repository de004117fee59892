package import ConvertECMAScript

/// The attributes that are reported with tracking events. A context moves them from its attributes to the stored
/// segments, so that the visitor's later contexts have them too.
package enum ReportSegments {
    static let names: [PropertyKey] = [
        "country", "browser", "devices", "source", "campaign", "visitorType", VisitorState.customSegments,
    ]

    private static let segmentNames = PropertyNames(names)

    /// The names of properties that are not attributes: report segments, and `__proto__`, which is dropped.
    package static let filter = PropertyNames(names + [ObjectPrototype.accessor])

    /// Whether `key` names a report segment.
    package static func contains(_ key: PropertyKey) -> Bool { segmentNames.contains(key) }

    /// Splits `properties` into report segments and attributes.
    package static func split(_ properties: JSObject) -> (segments: JSObject, properties: JSObject) {
        guard filter.matches(properties) else { return (JSObject(), properties) }
        var segments = JSObject()
        var others = JSObject()
        for member in properties {
            if contains(member.key) {
                segments[member.key] = member.value
            } else if member.key != ObjectPrototype.accessor {
                others[member.key] = member.value
            }
        }
        return (segments, others)
    }
}
