/// The number of rows of a table, kept beside it: to count them would read the whole table.
struct RowCount {
    /// Triggers keep it.
    static let occurrences = RowCount(
        isPlausible: """
            SELECT count(*) = 1 AND ifnull(min(typeof(count) = 'integer' AND count BETWEEN 0 AND ?1), 0)
                FROM occurrence_count
            """,
        value: "SELECT count FROM occurrence_count", add: "UPDATE occurrence_count SET count = count + ?",
        rowsUpTo: "SELECT count(*) FROM (SELECT 1 FROM occurrences LIMIT ?)", forget: "DELETE FROM occurrence_count",
        recount: "INSERT INTO occurrence_count SELECT count(*) FROM occurrences")

    private let isPlausible: StaticString
    private let value: StaticString
    private let add: StaticString
    private let rowsUpTo: StaticString
    private let forget: StaticString
    private let recount: StaticString

    /// Whether there is one counter, with a number that the file has room for, 16 bytes for each row at least.
    func isPlausible(in connection: Connection) throws -> Bool {
        let room = try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size") / 16
        return try connection.statement(isPlausible).first(.integer(room)) { $0.integer(0) == 1 } == true
    }

    /// Counts the rows anew.
    func mend(in connection: Connection) throws {
        try connection.statement(forget).run()
        try connection.statement(recount).run()
    }

    /// Counts `number` rows that were added, or removed if it is negative.
    func add(_ number: Int, in connection: Connection) throws {
        try connection.statement(add).run(.integer(Int64(number)))
    }

    /// Whether there are more rows than `limit`, as far as the counter knows.
    func isOver(_ limit: Int, in connection: Connection) throws -> Bool { try connection.integer(value) > Int64(limit) }

    /// How many rows there are beyond `limit`. Call it in a transaction: before rows are deleted because of it, the number
    /// is checked against the table, once per connection.
    func excess(over limit: Int, in connection: Connection) throws -> Int {
        let count = try connection.integer(value)
        guard count > Int64(limit) else { return 0 }
        if !connection.isCountVerified {
            connection.isCountVerified = true
            let rows = try connection.statement(rowsUpTo).first(.integer(count)) { $0.integer(0) }
            if rows != count { try mend(in: connection) }
        }
        return try max(0, Int(clamping: connection.integer(value)) - limit)
    }
}
