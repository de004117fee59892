import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDKCore
public import Foundation

/// The files of a visitor store and a journal of version 0.1.0. Both may be the same file.
public struct EarlierFiles: Sendable {
    private let visitors: URL?
    private let events: URL?

    /// The files of a version 0.1.0 that no longer runs. A file that does not exist counts as empty.
    public init(visitors: URL?, events: URL?) {
        self.visitors = visitors
        self.events = events
    }

    /// Copies the files' contents into a ledger, within the caller's transaction. The ledger's own rows stay.
    /// - Parameters:
    ///   - owner: the number of the owner that the copied events get.
    ///   - today: the number of the day that visitors get as their last save.
    func read(into ledger: Connection, owner: UInt32, today: Int64) throws {
        try Self.open(visitors)?.statement("SELECT key, record FROM visitors ORDER BY number").forEach { row in
            try ledger.statement("INSERT OR IGNORE INTO visitors (key, record, saved) VALUES (?, ?, ?)")
                .run(.data(row.data(0)), .data(row.data(1)), .integer(today))
        }
        var id = EventID(owner: owner, number: 0)
        try Self.open(events)?.statement("SELECT record FROM events ORDER BY id").forEach { row in
            switch EarlierRow(row.data(0)) {
            case .event(let visitor):
                id = EventID(owner: owner, number: id.number + 1)
                try ledger.statement("INSERT INTO events VALUES (?, ?, ?)")
                    .run(.integer(id.rawValue), .data(Data(visitor.utf8)), .data(row.data(0)))
            case .claim(let visitor, let changes):
                let key = Data(visitor.utf8)
                let stored = try LedgerFile.row(of: key, ledger)?.state ?? VisitorState()
                let record = ECMAScript.jsonText(of: .object(changes.merged(over: stored).json))
                try ledger.statement(
                    """
                    INSERT INTO visitors (key, record, saved) VALUES (?, ?, ?)
                    ON CONFLICT (key) DO UPDATE SET record = excluded.record
                    """
                ).run(.data(key), .data(Data(record.utf8)), .integer(today))
            case nil: break
            }
        }
    }

    private static func open(_ file: URL?) throws -> Connection? {
        guard let path = file?.path, FileIdentity(of: path) != nil else { return nil }
        let place = FileSystem.destination(of: path)
        let connection = try Connection(path: place, name: path, busyTimeout: 1000, isReadOnly: true)
        guard try connection.integer("PRAGMA application_id") == Schema.stores.applicationID else {
            throw StorageError(.foreignDatabase, path: path)
        }
        return connection
    }
}

/// A row of a journal of version 0.1.0.
private enum EarlierRow {
    /// An event of the visitor with this key.
    case event(String)
    /// A call's changes to the visitor with this key that the visitor store did not have yet.
    case claim(String, VisitorChanges)

    /// `nil` for any other row.
    init?(_ record: Data) {
        guard let row = (try? JSValue(written: record))?.objectValue else { return nil }
        if let account = EntityID(onWire: row["account"])?.text, let project = EntityID(onWire: row["project"])?.text,
            let visitor = row["visitor"]?.stringValue
        {
            self = .event("\(account)-\(project)-\(visitor)")
            return
        }
        guard let claim = row["claim"]?.objectValue, let visitor = claim["visitor"]?.stringValue else { return nil }
        var changes = VisitorState()
        for member in claim["bucketing"]?.objectValue ?? JSObject() {
            changes.apply(.bucketing(experienceID: member.key, variationID: member.value))
        }
        for goal in claim["goals"]?.arrayValue ?? [] {
            if let goal = goal.stringValue { changes.apply(.goal(PropertyKey(goal))) }
        }
        self = .claim(visitor, VisitorChanges(changes, replaced: claim["replaced"]?.objectValue ?? JSObject()))
    }
}
