import Foundation

/// The numbers that a table gives its rows in turn, and what is done when they cannot be right.
///
/// SQLite keeps the last one in `sqlite_sequence`. After the highest there is, it refuses every row as if the disk were full.
struct Numbering {
    /// No number that was given in turn gets this far.
    static let highest = Int64(1) << 62

    static let visitors = Numbering(
        sequenceIsRight: """
            SELECT count(*) < 2 AND ifnull(min(typeof(seq) = 'integer' AND seq <= ?1 AND seq >=
                ifnull((SELECT max(number) FROM visitors WHERE number BETWEEN 0 AND ?1), 0)), 1)
                FROM sqlite_sequence WHERE name = 'visitors'
            """,
        hasStrays: """
            SELECT EXISTS (SELECT 1 FROM visitors WHERE number > ?1) OR EXISTS (SELECT 1 FROM visitors WHERE number < 1)
            """,
        last: "SELECT max(number) FROM visitors WHERE number BETWEEN 1 AND ?1",
        strays: "SELECT number FROM visitors WHERE number > ?1 UNION ALL SELECT number FROM visitors WHERE number < 1",
        move: "UPDATE visitors SET number = ? WHERE number = ?",
        forget: "DELETE FROM sqlite_sequence WHERE name = 'visitors'",
        set: "INSERT INTO sqlite_sequence (name, seq) VALUES ('visitors', ?)")

    static let events = Numbering(
        sequenceIsRight: """
            SELECT count(*) < 2 AND ifnull(min(typeof(seq) = 'integer' AND seq <= ?1 AND seq >=
                ifnull((SELECT max(id) FROM events WHERE id BETWEEN 0 AND ?1), 0)), 1)
                FROM sqlite_sequence WHERE name = 'events'
            """,
        hasStrays: "SELECT EXISTS (SELECT 1 FROM events WHERE id > ?1) OR EXISTS (SELECT 1 FROM events WHERE id < 1)",
        last: "SELECT max(id) FROM events WHERE id BETWEEN 1 AND ?1",
        strays: "SELECT id FROM events WHERE id > ?1 UNION ALL SELECT id FROM events WHERE id < 1",
        move: "UPDATE events SET id = ? WHERE id = ?",
        forget: "DELETE FROM sqlite_sequence WHERE name = 'events'",
        set: "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)")

    /// A number that is ahead of what any journal has counted, so that one begun anew gives no id that an owner still knows.
    static var beginning: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

    let sequenceIsRight: StaticString
    let hasStrays: StaticString
    let last: StaticString
    let strays: StaticString
    let move: StaticString
    let forget: StaticString
    let set: StaticString

    func isRight(in connection: Connection) throws -> Bool {
        let isRight = try connection.statement(sequenceIsRight).first(.integer(Self.highest)) { $0.integer(0) == 1 }
        let hasStrays = try connection.statement(hasStrays).first(.integer(Self.highest)) { $0.integer(0) == 1 }
        return isRight == true && hasStrays == false
    }

    /// Makes the numbers go on where they can, and gives rows outside of their range new ones, in order.
    func mend(in connection: Connection) throws {
        let last = try connection.statement(last).first(.integer(Self.highest)) { $0.integer(0) } ?? 0
        var number = max(last, Self.beginning)
        var strays: [Int64] = []
        try connection.statement(self.strays).forEach(.integer(Self.highest)) { strays.append($0.integer(0)) }
        for stray in strays {
            number += 1
            try connection.statement(move).run(.integer(number), .integer(stray))
        }
        try setLast(number, in: connection)
    }

    /// Makes the numbers go on after `number`.
    func setLast(_ number: Int64, in connection: Connection) throws {
        try connection.statement(forget).run()
        try connection.statement(set).run(.integer(number))
    }
}
