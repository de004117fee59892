/// A row for a condition whose predicates are resolved and whose impossible parts are removed. The rows of a group's
/// members follow it, depth first.
struct RuleNode: Sendable, BitwiseCopyable {
    enum Kind: UInt8, Sendable {
        /// A condition that never holds. Only a whole rule is such a row.
        case never
        case comparison, historical
        case all, any
    }

    let kind: Kind
    /// The number of the comparison or the historical condition.
    var number: Int32 = -1
    /// The number of rows of the condition, including this row.
    var span: Int32 = 1
    /// The number of these rows that are comparisons or historical conditions.
    var leaves: Int32 = 1
}
