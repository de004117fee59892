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

    private static let hashes = names.map(\.hash)

    /// Whether any of `properties` is a report segment, which is rare.
    package static func areAmong(_ properties: borrowing JSObject) -> Bool {
        let (first, second) = hashBits
        return properties.withMembers { members in
            guard let start = members.baseAddress else { return false }
            for index in members.indices {
                // Where the member lies, because a copy of it counts references.
                let hash = (start + index).pointee.key.hash
                if first &>> UInt64(hash & 63) & 1 == 0 || second &>> UInt64(hash >> 6 & 63) & 1 == 0 { continue }
                if hashes.contains(hash), contains(members[index].key) { return true }
            }
            return false
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
