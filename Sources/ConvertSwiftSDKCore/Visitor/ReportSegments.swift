internal import ConvertECMAScript

/// The attributes that are reported with tracking events. A context takes them out of its attributes and stores them as
/// segments, so they survive into the visitor's later contexts.
enum ReportSegments {
    static let names: [PropertyKey] = [
        "country", "browser", "devices", "source", "campaign", "visitorType", VisitorState.customSegments,
    ]

    /// Whether `key` names a report segment.
    static func contains(_ key: PropertyKey) -> Bool { names.contains(key) }

    /// For each name the bit that its hash selects. Few other names share one, and only those are looked at closer.
    private static let hashBits: UInt64 = names.reduce(0) { $0 | hashBit(of: $1) }

    @inline(__always)
    private static func hashBit(of key: PropertyKey) -> UInt64 { 1 << UInt64(key.hash & 63) }

    /// Whether any of `properties` is a report segment, which is rare.
    static func areAmong(_ properties: JSObject) -> Bool {
        let bits = hashBits
        for index in properties.members.indices
        where bits & hashBit(of: properties.members[index].key) != 0 && contains(properties.members[index].key) {
            return true
        }
        return false
    }

    /// The report segments among `properties`, and the other properties.
    static func split(_ properties: JSObject) -> (segments: JSObject, properties: JSObject) {
        guard areAmong(properties) else { return (JSObject(), properties) }
        var segments = JSObject()
        var others = JSObject()
        for member in properties {
            if contains(member.key) { segments[member.key] = member.value } else { others[member.key] = member.value }
        }
        return (segments, others)
    }
}
