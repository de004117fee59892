/// The limits that make hostile input harmless. Input beyond a limit is rejected with an error, or left out with a
/// warning.
public enum MobileRulesLimits {
    /// Nesting depth of groups in a rule.
    public static let conditionDepth = 128
    /// Nesting depth of arrays and objects in an event's data. An event beyond the limit matches no rule.
    public static let dataDepth = 512
    /// Total bytes of the flattened names in an event's data. An event beyond the limit matches no rule.
    public static let flattenedLength = 256 << 20
    /// Bytes of a key in a condition or a token. A longer key is unusable.
    public static let keyLength = 4_096
    /// Bytes of the texts that replace tokens, for one event together with the events it dispatches if
    /// ``MobileRulesEngine/processAll(_:)`` processes them. A consequence beyond the limit is left out.
    public static let expandedLength = 64 << 20
    /// Values that `add` and `mod` consequences visit or create, for one event together with the events it dispatches,
    /// as for ``expandedLength``. The consequence that exceeds the limit, and later ones, are left out.
    public static let mergedValues = 1_000_000
    /// Bytes that conditions compare of texts longer than 256 bytes, for one event together with the events it
    /// dispatches, as for ``expandedLength``. Comparing as many takes between 0.1 and 0.2 seconds. If `co` or `nc`
    /// searches a text that is not ASCII, each byte counts as 128 bytes. A condition beyond the limit does not hold,
    /// regardless of its matcher, and a warning reports it.
    public static let comparedLength = 160_000_000
    /// Events that the consequences of one event may dispatch. Further events are left out.
    public static let dispatchedEvents = 100
    /// Warnings that are kept of one document, and warnings that are reported about events until the rules change.
    public static let warnings = 200
    /// Values in a document; arrays, objects and their contents all count. A document beyond the limit is rejected. A
    /// document of 1,000 rules has about 40,000.
    public static let documentValues = 2_000_000
    /// Bytes of an archive.
    public static let archiveLength = 32 << 20
    /// Total bytes of an archive's entries after inflating.
    public static let inflatedLength = 64 << 20
    /// Entries of an archive.
    public static let archiveEntries = 2_000
}
