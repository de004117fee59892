/// The effect of an unusable part of a rule: an unknown matcher, a value that cannot be compared, or a historical
/// condition without an integer to compare with.
public enum MobileRulesSemantics: String, Sendable, Hashable, CaseIterable {
    /// The condition never holds, so a rule never matches more than intended. The default.
    case standard

    /// The condition is removed from its group, as in Adobe's engine: the `and` of a true condition and a removed
    /// condition holds. A rule without any remaining condition never matches. Values of `ne` and `nc` that cannot be
    /// compared are removed too.
    case reference
}
