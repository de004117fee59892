/// How a file holds a population.
public enum PopulationFormat: String, Sendable, CaseIterable {
    /// JSON Lines: a ``PopulationVisitor`` as JSON in each line.
    case jsonLines = "jsonl"

    /// CSV (RFC 4180) in UTF-8, whose first record names the columns.
    ///
    /// Between cells stands a comma, a semicolon or a tab: the one with which the first record names `visitorId`.
    /// Records end as the first one does, with a line feed, a carriage return, or both.
    ///
    /// The column `visitorId` is required. Those named `attributes`, `locationProperties` and `stored` hold JSON
    /// objects. `locationProperties.NAME` is one location property, and every other column one attribute, by its name
    /// or as `attributes.NAME`. Such a cell is text as it stands, which rules compare as a number where it is one; an
    /// empty cell is a property that the visitor does not have, unless it is quoted. Columns without a name are empty.
    case csv

    /// The most bytes that a record may have.
    public static let recordLimit = 1 << 20
}
