import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
public import Foundation

/// The files of a visitor store and a journal of version 0.1.0. Both may be the same file.
public struct EarlierFiles: Sendable {
    /// No file.
    static let nothing = EarlierFiles(visitors: nil, events: nil)

    private let visitors: URL?
    private let events: URL?

    var isNothing: Bool { visitors == nil && events == nil }

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
        if let connection = try Self.open(visitors) {
            let sql: StaticString = "SELECT number, key, record FROM visitors WHERE number > ? ORDER BY 1 LIMIT 1000"
            try Self.forEach(sql, of: connection) {
                try ledger.statement("INSERT OR IGNORE INTO visitors (key, record, saved) VALUES (?, ?, ?)")
                    .run(.data($0), .data($1), .integer(today))
            }
        }
        if let connection = try Self.open(events) {
            var id = EventID(owner: owner, number: 0)
            let sql: StaticString = "SELECT id, x'', record FROM events WHERE id > ? ORDER BY 1 LIMIT 1000"
            try Self.forEach(sql, of: connection) { _, payload in
                guard let row = EarlierRow(payload) else { return }
                switch row {
                case .event(let visitor):
                    id = EventID(owner: owner, number: id.number + 1)
                    try ledger.statement("INSERT INTO events VALUES (?, ?, ?)")
                        .run(.integer(id.rawValue), .data(Data(visitor.utf8)), .data(payload))
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
                }
            }
        }
    }

    private static func open(_ file: URL?) throws -> Connection? {
        guard let path = file?.path, FileIdentity(of: path) != nil else { return nil }
        let place = FileSystem.destination(of: path)
        let connection = try Connection(path: place, name: path, busyTimeout: 1000, isReadOnly: true)
        guard try connection.integer("PRAGMA application_id") == Migrations.applicationID else {
            throw StorageError(.foreignDatabase, path: path)
        }
        return connection
    }

    /// Calls `body` with the second and third column of each row that `sql` selects, in the order of the first column.
    /// Reads a portion of rows at a time.
    private static func forEach(
        _ sql: StaticString, of connection: Connection, _ body: (Data, Data) throws -> Void
    ) throws {
        var last: Int64 = 0
        while true {
            var rows: [(Data, Data)] = []
            try connection.statement(sql).forEach(.integer(last)) { row in
                last = row.integer(0)
                rows.append((row.data(1), row.data(2)))
            }
            for row in rows { try body(row.0, row.1) }
            if rows.isEmpty { return }
        }
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
        var replaced: [PropertyKey: [JSValue]] = [:]
        for member in claim["replaced"]?.objectValue ?? JSObject() { replaced[member.key] = [member.value] }
        self = .claim(visitor, VisitorChanges(changes, replaced: replaced))
    }
}
