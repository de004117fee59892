/// A condition with its predicates resolved and its impossible parts folded away, as a row: those of a group's members
/// follow it, depth first.
struct RuleNode: Sendable, BitwiseCopyable {
    enum Kind: UInt8, Sendable {
        /// Only as a whole rule.
        case never
        case comparison, historical
        case all, any
    }

    let kind: Kind
    /// Of the comparison or the historical condition.
    var number: Int32 = -1
    /// How many rows it takes, itself included.
    var span: Int32 = 1
    /// How many of them are comparisons and historical conditions.
    var leaves: Int32 = 1
}
