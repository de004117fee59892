/// What to do with a part of a rule that cannot be understood: a matcher that does not exist, a value that nothing can be
/// compared with, a historical condition without a limit.
public enum MobileRulesSemantics: String, Sendable, Hashable, CaseIterable {
    /// Such a condition never holds, so a rule never gets wider than it was meant. The default.
    case standard

    /// Such a condition vanishes from its group, as in the reference: `and` of a true condition and a vanished one holds. A
    /// rule of which nothing is left never matches. Of the values of `ne` and `nc`, those that nothing can be compared
    /// with vanish likewise.
    case reference
}
