/// The bounds that keep a hostile config harmless, each some ten times what the largest plausible config needs.
///
/// A config that exceeds one of the first five is refused with ``ConfigError/Code/tooLarge``, before it costs more.
public enum ConfigLimits {
    /// Bytes of the document.
    public static let length = 200_000_000
    /// Values of the document, arrays and objects and what they hold counted alike. 1,000 experiences have some 64,000.
    public static let values = 4_000_000
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
}
