/// The limits that make a hostile config harmless. Each is about ten times what the largest plausible config needs.
///
/// A config beyond ``length``, ``values``, ``names``, ``entities`` or ``ruleParts`` is rejected early with
/// ``ConfigError/Code/tooLarge``. A config nested deeper than ``depth`` is rejected with
/// ``ConfigError/Code/invalidJSON``. Beyond one of the other limits, only the parts in excess are affected, and a
/// diagnostic names the limit.
public enum ConfigLimits {
    /// Bytes of the document.
    public static let length = 200_000_000
    /// Values in the document; arrays, objects and their contents all count. 1,000 experiences have about 64,000.
    public static let values = 4_000_000
    /// Distinct member names. 1,000 experiences have about 50.
    public static let names = 500_000
    /// Nesting depth of arrays and objects.
    public static let depth = 512
    /// Experiences, variations, changes, audiences, locations, segments, features, variables and goals, counted
    /// together. 1,000 experiences need about 4,000.
    public static let entities = 400_000
    /// Blocks, clauses and leaves of all rules, counted together. 500 audiences have about 5,000.
    public static let ruleParts = 1_000_000
    /// Audiences, segments and locations that all experiences attach, counted together. No visitor is eligible for an
    /// experience that would exceed the limit. 1,000 experiences attach about 3,000.
    public static let attachments = 1_000_000
    /// Bytes that the compiled patterns of `regexMatches` take; each distinct pattern counts once. A leaf whose pattern
    /// would exceed the limit never matches. 1,000 patterns take about 5 MB.
    public static let patternMemory = 100_000_000

    /// Bytes that a config's patterns cache between calls. Beyond the limit, a pattern drops its cache after each call,
    /// so its next match is slower.
    public static let patternCaches = 16_000_000
    /// Values in the JSON text of feature variables of type `json`, counted together. Beyond the limit the variables
    /// stay text. 1,000 variables hold about 10,000.
    public static let variableValues = 4_000_000
}
