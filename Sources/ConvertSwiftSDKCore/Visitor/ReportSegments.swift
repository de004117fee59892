package import ConvertECMAScript

/// The attributes that are reported with tracking events. A context takes them out of its attributes and stores them as
/// segments, so they survive into the visitor's later contexts.
package enum ReportSegments {
    static let names: [PropertyKey] = [
        "country", "browser", "devices", "source", "campaign", "visitorType", VisitorState.customSegments,
    ]

    /// Whether `key` names a report segment.
    static func contains(_ key: PropertyKey) -> Bool { names.contains(key) }

    /// For each name two bits that its hash selects. Few other names have both, and only those are looked at closer.
    private static let hashBits: (UInt64, UInt64) = names.reduce(into: (0, 0)) { bits, name in
        bits.0 |= 1 << UInt64(name.hash & 63)
        bits.1 |= 1 << UInt64(name.hash >> 6 & 63)
    }

    /// Whether any of `properties` is a report segment, which is rare.
    package static func areAmong(_ properties: borrowing JSObject) -> Bool {
        let (first, second) = hashBits
        return properties.withMembers { members in
            guard let start = members.baseAddress else { return false }
            var found: UInt64 = 0
            // Without a branch for each, and where the members lie, because a copy of one counts references (W1).
            for index in members.indices {
                let hash = UInt64((start + index).pointee.key.hash)
                found |= (first &>> hash) & (second &>> (hash &>> 6))
            }
            return found & 1 != 0 && members.contains { contains($0.key) }
        }
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
