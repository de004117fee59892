internal import ConvertECMAScript

/// The attributes that are reported with tracking events. A context takes them out of its attributes and stores them as
/// segments, so they survive into the visitor's later contexts.
enum ReportSegments {
    static let names: [PropertyKey] = [
        "country", "browser", "devices", "source", "campaign", "visitorType", VisitorState.customSegments,
    ]

    /// Whether `key` names a report segment.
    static func contains(_ key: PropertyKey) -> Bool { names.contains(key) }

    /// The report segments among `properties`, and the other properties.
    static func split(_ properties: JSObject) -> (segments: JSObject, properties: JSObject) {
        // Nearly always there are none, and then nothing is copied.
        guard properties.members.contains(where: { contains($0.key) }) else { return (JSObject(), properties) }
        var segments = JSObject()
        var others = JSObject()
        for member in properties {
            if contains(member.key) { segments[member.key] = member.value } else { others[member.key] = member.value }
        }
        return (segments, others)
    }
}
