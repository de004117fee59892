package import ConvertECMAScript

/// The attributes that are reported with tracking events. A context takes them out of its attributes and stores them as
/// segments, so they survive into the visitor's later contexts.
package enum ReportSegments {
    static let names: [PropertyKey] = [
        "country", "browser", "devices", "source", "campaign", "visitorType", VisitorState.customSegments,
    ]

    /// Whether `key` names a report segment.
    static func contains(_ key: PropertyKey) -> Bool { names.contains(key) }

    private static let filter = NameFilter(names)

    /// Whether any of `properties` is a report segment, which is rare.
    package static func areAmong(_ properties: borrowing JSObject) -> Bool {
        filter.mayBeAmong(properties) && areFound(in: properties)
    }

    // Apart, because it is rare and would slow the common answer down.
    @inline(never)
    private static func areFound(in properties: borrowing JSObject) -> Bool {
        properties.withMembers { members in members.contains { contains($0.key) } }
    }

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
