#if Postgres
import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// The locked records of one transaction's visitors, and their changes.
struct VisitorRows {
    private let stored: [Data: VisitorState]
    private var current: [Data: VisitorState]
    /// The keys that have a row, and whether it was saved today.
    private let known: [Data: Bool]

    /// Locks and reads the rows of visitors. All transactions lock in the order of keys, so that they cannot deadlock.
    static func lock(_ keys: [Data]) -> Command {
        Command(
            """
            SELECT key, record, saved_on >= current_date FROM visitors WHERE key = ANY ($1)
            ORDER BY key FOR NO KEY UPDATE
            """,
            .datas(Array(Set(keys))))
    }

    /// Takes the records that ``lock(_:)`` read.
    init(_ rows: Rows) {
        var stored: [Data: VisitorState] = [:]
        var known: [Data: Bool] = [:]
        for row in 0..<rows.count {
            let key = rows.data(row, 0)
            known[key] = rows.integer(row, 2) == 1
            stored[key] = try? VisitorState(json: rows.data(row, 1))
        }
        (self.stored, self.known) = (stored, known)
        current = stored
    }

    /// The number of records that cannot be read because something else has written to them. Changes replace them.
    var unreadableCount: Int { known.count - stored.count }

    /// Settles `entry` on top of the record under `key`.
    mutating func settle(_ entry: LedgerEntry, _ key: Data, isStored: (EventID) -> Bool) -> LedgerSettlement {
        let settlement = entry.settled(over: current[key], isStored: isStored)
        let record = settlement.outcome.record
        if !record.isEmpty { current[key] = record }
        return settlement
    }

    /// The commands that store the changed records, and the day of each visitor's last entry.
    ///
    /// If another transaction inserts a new visitor meanwhile, they fail with `23505`, since this transaction has not
    /// read that record.
    var changes: [Command] {
        let changed = current.filter { stored[$0.key] != $0.value || known[$0.key] == false }
            .map { (key: $0.key, record: Data(ECMAScript.jsonText(of: .object($0.value.json)).utf8)) }
        let updated = changed.filter { known[$0.key] != nil }
        let inserted = changed.filter { known[$0.key] == nil }
        var commands: [Command] = []
        if !updated.isEmpty {
            commands.append(
                Command(
                    """
                    UPDATE visitors AS v SET record = u.record, saved_on = current_date
                        FROM unnest($1, $2) AS u (key, record) WHERE v.key = u.key
                    """, .datas(updated.map(\.key)), .datas(updated.map(\.record))))
        }
        if !inserted.isEmpty {
            commands.append(
                Command(
                    """
                    INSERT INTO visitors (key, record)
                        SELECT key, record FROM unnest($1, $2) AS u (key, record) ORDER BY key
                    """, .datas(inserted.map(\.key)), .datas(inserted.map(\.record))))
        }
        return commands
    }
}
#endif
