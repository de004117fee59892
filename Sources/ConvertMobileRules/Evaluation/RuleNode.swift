/// A row for a condition whose predicates are resolved and whose impossible parts are removed. The rows of a group's
/// members follow it, depth first.
struct RuleNode: Sendable, BitwiseCopyable {
    enum Kind: UInt8, Sendable {
        /// Only used for a whole rule.
        case never
        case comparison, historical
        case all, any
    }

    let kind: Kind
    /// The number of the comparison or the historical condition.
    var number: Int32 = -1
    /// How many rows it takes, including itself.
    var span: Int32 = 1
    /// How many of these rows are comparisons and historical conditions.
    var leaves: Int32 = 1
}
