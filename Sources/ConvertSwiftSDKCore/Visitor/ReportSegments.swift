package import ConvertECMAScript

/// The attributes that are reported with tracking events. A context takes them out of its attributes and stores them as
/// segments, so they survive into the visitor's later contexts.
package enum ReportSegments {
    static let names: [PropertyKey] = [
        "country", "browser", "devices", "source", "campaign", "visitorType", VisitorState.customSegments,
    ]

    /// Their names, for the question whether any of an object's members is one.
    package static let filter = NameFilter(names)

    /// Whether `key` names a report segment.
    static func contains(_ key: PropertyKey) -> Bool { filter.contains(key) }

    /// Whether any of `properties` is a report segment, which is rare.
    package static func areAmong(_ properties: borrowing JSObject) -> Bool { filter.matches(properties) }

    /// The report segments among `properties`, and the other properties.
    package static func split(_ properties: JSObject) -> (segments: JSObject, properties: JSObject) {
        guard areAmong(properties) else { return (JSObject(), properties) }
        var segments = JSObject()
        var others = JSObject()
        for member in properties {
            if contains(member.key) { segments[member.key] = member.value } else { others[member.key] = member.value }
        }
        return (segments, others)
    }
}
