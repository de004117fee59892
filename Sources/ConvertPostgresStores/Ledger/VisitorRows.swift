#if Postgres
import ConvertLedgers
import ConvertECMAScript
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// The records of one transaction's visitors, which are locked, and what becomes of them.
struct VisitorRows {
    private let stored: [Data: VisitorState]
    private var current: [Data: VisitorState]
    /// Keys that have a row, and whether it was saved today.
    private let known: [Data: Bool]

    /// Locks the rows of visitors and reads them. All transactions do so in the order of keys, so that none waits in a
    /// circle.
    static func lock(_ keys: [Data]) -> Command {
        Command(
            """
            SELECT key, record, saved_on >= current_date FROM visitors WHERE key = ANY ($1)
            ORDER BY key FOR NO KEY UPDATE
            """,
            .datas(Array(Set(keys))))
    }

    /// The records that ``lock(_:)`` read.
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

    /// Number of records that cannot be read, because something else has written to them. Changes replace them.
    var unreadableCount: Int { known.count - stored.count }

    /// Settles `entry` over the record under `key`.
    mutating func settle(_ entry: LedgerEntry, _ key: Data, isStored: (EventID) -> Bool) -> LedgerSettlement {
        let settlement = entry.settled(over: current[key], isStored: isStored)
        let record = settlement.outcome.record
        if !record.isEmpty { current[key] = record }
        return settlement
    }

    /// What stores the changed records, and the day on which a visitor had an entry.
    ///
    /// A new visitor whom another transaction stores meanwhile is an error (`23505`), since this one has not seen that
    /// record.
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
