/// What follows from other things in a database, and is mended when it cannot be right.
enum Contents {
    /// Mends what cannot be right, and returns what that was, in words.
    static func mend(_ connection: Connection) throws -> [String] {
        if try isRight(connection) { return [] }
        return try connection.transaction {
            var mended: [String] = []
            if try !RowCount.occurrences.isPlausible(in: connection) {
                try RowCount.occurrences.mend(in: connection)
                mended.append("the number of occurrences")
            }
            return mended
        }
    }

    static func isRight(_ connection: Connection) throws -> Bool {
        try RowCount.occurrences.isPlausible(in: connection)
    }
}
