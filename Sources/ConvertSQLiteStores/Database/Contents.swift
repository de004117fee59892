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
            if try !RowCount.visitors.isPlausible(in: connection) {
                try RowCount.visitors.mend(in: connection)
                mended.append("the number of visitors")
            }
            if try !Numbering.visitors.isRight(in: connection) {
                try Numbering.visitors.mend(in: connection)
                mended.append("the order of visitors")
            }
            if try !Numbering.events.isRight(in: connection) {
                try Numbering.events.mend(in: connection)
                mended.append("the ids of events")
            }
            return mended
        }
    }

    static func isRight(_ connection: Connection) throws -> Bool {
        try RowCount.occurrences.isPlausible(in: connection) && RowCount.visitors.isPlausible(in: connection)
            && Numbering.visitors.isRight(in: connection) && Numbering.events.isRight(in: connection)
    }
}
