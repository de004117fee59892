/// An event's identity in the history: FNV-1a, 32 bits, over its flattened members.
///
/// Over the UTF-8 of `name:value` for each member, names in ascending order of code points, one after the other without a
/// separator. Members without text, null ones included, are left out. Events whose members print alike are the same event:
/// `1` is `"1"`, but `3` is not `3.0`.
///
///     EventFingerprint(of: ["key": "value"]).rawValue  // 4007910315
public struct EventFingerprint: RawRepresentable, Hashable, Sendable {
    /// Of an event of which nothing counts; it is neither recorded nor found.
    public static let none = EventFingerprint(rawValue: 0)

    /// The hash.
    public let rawValue: UInt32

    /// The fingerprint with this hash.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}
