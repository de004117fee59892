/// The format in which the decisions for a population are written.
public struct AssignmentLayout: Sendable, Equatable {
    /// The contents of a line.
    public enum Rows: Sendable, Equatable {
        /// A visitor with all decisions. In CSV each experience has a column, which is empty for visitors without a
        /// variation.
        case visitors
        /// A decision: `visitorId`, `experience`, `variation` and `reason`. The reason says where the variation comes
        /// from, or why it is missing. A missing variation is `null`, or empty in CSV.
        case decisions
        /// A decision with a variation, in the form of ``decisions``. Other decisions are left out.
        case assignments
    }

    /// The contents of a line.
    public var rows: Rows

    /// JSON Lines or CSV. CSV has no lines for invalid records; its lines of ``Rows/visitors`` contain no reasons,
    /// features or properties.
    public var format: PopulationFormat

    /// Whether CSV begins with a line of column names.
    public var hasHeader = true

    /// Creates a layout.
    public init(_ rows: Rows = .visitors, _ format: PopulationFormat = .jsonLines) {
        self.rows = rows
        self.format = format
    }
}

extension AssignmentLayout {
    /// The columns of ``Rows/decisions``.
    static let columns = ["visitorId", "experience", "variation", "reason"]
}
