public import ConvertECMAScript
internal import ConvertValues

/// An event's identity in the history: a 32-bit FNV-1a hash of its flattened members.
///
/// The hash covers the UTF-8 of `name:value` for each member, without separators, with names in ascending order of code
/// points. Members whose value is null or has no text are left out. Events whose members have the same texts are the
/// same event: `1` equals `"1"`, but `3` does not equal `3.0`.
///
///     EventFingerprint(of: ["key": "value"]).rawValue  // 4007910315
public struct EventFingerprint: RawRepresentable, Hashable, Sendable {
    /// The fingerprint of an event without relevant members. It is never recorded or found.
    public static let none = EventFingerprint(rawValue: 0)

    /// The hash.
    public let rawValue: UInt32

    /// Creates the fingerprint with this hash.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates the fingerprint of an event's data.
    ///
    /// - Parameters:
    ///   - data: the data. Nested objects and arrays are flattened to dotted names.
    ///   - mask: the names of the flattened members that count; `nil` means all members.
    public init(of data: JSObject, mask: [String]? = nil) {
        guard EventData.isWithinLimits(data) else {
            self = .none
            return
        }
        let counted = mask.map { Set($0.map { PropertyKey($0) }) }
        let names = counted.map { LeafNames($0) }
        var members = JSObject()
        _ = EventData.forEachLeaf(of: data, descend: { names?.hasLeaf(below: $0) != false }) { name, value in
            if counted?.contains(name) != false { members[name] = value }
        }
        self = EventFingerprint(flat: members)
    }

    /// Creates the fingerprint of an event in a rule, whose names are literal. An event with objects or arrays is never
    /// found, because recorded events are flat.
    init(ofLiteral event: JSObject) {
        let isFlat = event.allSatisfy {
            switch $0.value {
            case .illFormedString, .array, .object: false
            default: true
            }
        }
        self = isFlat ? EventFingerprint(flat: event) : .none
    }

    private init(flat members: JSObject) {
        var pairs: [(name: String, text: String)] = []
        for member in members {
            guard let text = MobileValue(member.value).text, !text.isEmpty else { continue }
            pairs.append((member.key.name, text))
        }
        // The order of UTF-8 is the order of code points; Swift's order of strings uses canonical equivalence.
        pairs.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        var hash: UInt32 = pairs.isEmpty ? 0 : 2_166_136_261
        for pair in pairs {
            for byte in [pair.name, ":", pair.text].lazy.flatMap(\.utf8) { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        }
        rawValue = hash
    }
}
