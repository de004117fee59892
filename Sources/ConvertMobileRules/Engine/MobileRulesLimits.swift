/// The bounds that keep hostile input harmless. What exceeds one is refused with an error, or left out with a warning.
public enum MobileRulesLimits {
    /// Groups within groups that a rule may have.
    public static let conditionDepth = 128
    /// Arrays and objects within each other that an event's data may have; a deeper event matches no rule.
    public static let dataDepth = 512
    /// Bytes that the dotted names of everything in an event's data may come to; an event of more matches no rule.
    public static let flattenedLength = 256 << 20
    /// Bytes of a key in a condition or a token; a longer one cannot be understood.
    public static let keyLength = 4_096
    /// Bytes that may take the place of tokens for one event, together with the events it dispatches if
    /// ``MobileRulesEngine/processAll(_:)`` processes them; a consequence that needs more is left out.
    public static let expandedLength = 64 << 20
    /// Values that `add` and `mod` consequences may look at or make for one event, together with the events it dispatches
    /// as for ``expandedLength``; the consequence that needs more is left out, and those after it.
    public static let mergedValues = 1_000_000
    /// Bytes of texts longer than 256 that conditions may look at for one event, together with the events it dispatches as for
    /// ``expandedLength``: between one and two tenths of a second. A byte of a text that is not ASCII counts as 128 where `co` and
    /// `nc` search it. A condition that needs more does not hold, whatever its matcher, and a warning says so.
    public static let comparedLength = 160_000_000
    /// Events that the consequences of one event may dispatch; of more the rest are left out.
    public static let dispatchedEvents = 100
    /// Warnings kept of one document, and those that are reported of events until the rules change.
    public static let warnings = 200
    /// Values of a document, arrays and objects and what they hold counted alike. A document of more is refused; one of
    /// 1,000 rules has some 40,000.
    public static let documentValues = 2_000_000
    /// Bytes of an archive.
    public static let archiveLength = 32 << 20
    /// Bytes that all entries of an archive may have when inflated.
    public static let inflatedLength = 64 << 20
    /// Entries of an archive.
    public static let archiveEntries = 2_000
}
