/// The format of a population's file.
public enum PopulationFormat: String, Sendable, CaseIterable {
    /// JSON Lines: a ``PopulationVisitor`` as JSON in each line.
    case jsonLines = "jsonl"

    /// CSV (RFC 4180) in UTF-8, whose first record names the columns.
    ///
    /// The separator of cells is a comma, a semicolon or a tab, whichever separates `visitorId` from the other names in
    /// the first record. Records end as the first one does, with a line feed, a carriage return, or both.
    ///
    /// The column `visitorId` is required. The columns `attributes`, `locationProperties` and `stored` contain JSON
    /// objects. A column `locationProperties.NAME` contains one location property. Any other column contains one
    /// attribute, with the column's name as its name, or `attributes.NAME`. Cells of these columns are text; rules
    /// compare a numeric text as a number. An empty cell without quotes means that the visitor does not have the
    /// property. Columns without a name must be empty.
    case csv

    /// The maximum length of a record, in bytes.
    public static let recordLimit = 1 << 20
}
