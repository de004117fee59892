/// The bounds that keep a hostile config harmless, each some ten times what the largest plausible config needs.
///
/// A config that exceeds ``length``, ``values``, ``names``, ``entities`` or ``ruleParts`` is refused with
/// ``ConfigError/Code/tooLarge``, before it costs more; one that is nested deeper than ``depth`` is refused with
/// ``ConfigError/Code/invalidJSON``. What exceeds one of the others does without, and a diagnostic names the limit.
public enum ConfigLimits {
    /// Bytes of the document.
    public static let length = 200_000_000
    /// Values of the document, arrays and objects and what they hold counted alike. 1,000 experiences have some 64,000.
    public static let values = 4_000_000
    /// Different names of members. 1,000 experiences have some 50.
    public static let names = 500_000
    /// Arrays and objects in one another.
    public static let depth = 512
    /// Experiences, variations, changes, audiences, locations, segments, features, variables and goals, counted together.
    /// 1,000 experiences need some 4,000.
    public static let entities = 400_000
    /// Blocks, clauses and leaves of all rules, counted together. 500 audiences have some 5,000.
    public static let ruleParts = 1_000_000
    /// How many audiences, segments and locations all experiences attach. An experience that would exceed it is one for
    /// which nobody is eligible. 1,000 experiences attach some 3,000.
    public static let attachments = 1_000_000
    /// Bytes that the compiled patterns of `regexMatches` take, each pattern counted once. A leaf whose pattern would exceed
    /// it never matches. 1,000 patterns take some 5 MB.
    public static let patternMemory = 100_000_000

    /// Bytes that the patterns of a config keep between calls. Beyond it a pattern forgets after a call what would make the
    /// next one faster.
    public static let patternCaches = 16_000_000
    /// Values in feature variables of the type `json` that are text, counted together. Where it is exceeded the text stays
    /// text. 1,000 variables hold some 10,000.
    public static let variableValues = 4_000_000
}
