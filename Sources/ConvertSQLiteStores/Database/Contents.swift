/// What follows from other things in a database, and is mended when it cannot be right.
enum Contents {
    /// Mends what cannot be right, and returns what that was, in words.
    static func mend(_ connection: Connection) throws -> [String] {
        if try isRight(connection) { return [] }
        return try connection.transaction {
            var mended: [String] = []
            if try !isCountPlausible(connection) {
                try recount(connection)
                mended.append("the number of occurrences")
            }
            if try !Numbering.visitors.isRight(in: connection) {
                try Numbering.visitors.mend(in: connection)
                mended.append("the numbers of visitors")
            }
            if try !Numbering.events.isRight(in: connection) {
                try Numbering.events.mend(in: connection)
                mended.append("the ids of events")
            }
            return mended
        }
    }

    static func isRight(_ connection: Connection) throws -> Bool {
        try isCountPlausible(connection) && Numbering.visitors.isRight(in: connection)
            && Numbering.events.isRight(in: connection)
    }

    /// Whether there is one counter of occurrences with a number that the file has room for, 16 bytes for each at least.
    private static func isCountPlausible(_ connection: Connection) throws -> Bool {
        let room = try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size") / 16
        let isPlausible = try connection.statement(
            """
            SELECT count(*) = 1 AND ifnull(min(typeof(count) = 'integer' AND count BETWEEN 0 AND ?1), 0)
                FROM occurrence_count
            """
        ).first(.integer(room)) { $0.integer(0) == 1 }
        return isPlausible == true
    }

    /// Counts the occurrences anew.
    static func recount(_ connection: Connection) throws {
        try connection.execute(
            "DELETE FROM occurrence_count; INSERT INTO occurrence_count SELECT count(*) FROM occurrences")
    }
}
