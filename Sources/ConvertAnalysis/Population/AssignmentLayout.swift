/// How the answers for a population are written.
public struct AssignmentLayout: Sendable, Equatable {
    /// What a line holds.
    public enum Rows: Sendable, Equatable {
        /// A visitor with all decisions. In CSV each experience has a column, which is empty where the visitor gets
        /// nothing.
        case visitors
        /// One decision: `visitorId`, `experience`, `variation` and `reason`, which says where the variation comes from
        /// or why it is missing. Without a variation `variation` is `null`, in CSV empty.
        case decisions
        /// One decision that has a variation, as in ``decisions``.
        case assignments
    }

    /// What a line holds.
    public var rows: Rows

    /// JSON Lines or CSV. CSV has no line for a record that is no visitor, and no place for reasons, features and
    /// properties in lines of ``Rows/visitors``.
    public var format: PopulationFormat

    /// Whether CSV begins with the names of the columns.
    public var hasHeader = true

    /// A layout.
    public init(_ rows: Rows = .visitors, _ format: PopulationFormat = .jsonLines) {
        self.rows = rows
        self.format = format
    }
}

extension AssignmentLayout {
    /// The columns of ``Rows/decisions``.
    static let columns = ["visitorId", "experience", "variation", "reason"]
}
