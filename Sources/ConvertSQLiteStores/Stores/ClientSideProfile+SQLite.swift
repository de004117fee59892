import ConvertConcurrency
import ConvertECMAScript
public import ConvertMobileRules
public import Foundation

extension ClientSideProfile {
    /// A profile that an SQLite file keeps, so that what rules wrote into it, such as that something was shown,
    /// survives a restart.
    ///
    /// ```swift
    /// var configuration = MobileRulesConfiguration()
    /// configuration.profile = try ClientSideProfile(file: URL(fileURLWithPath: "/var/lib/shop/profile.sqlite"))
    /// ```
    ///
    /// The values are read once, here. Changes are written on the thread that makes them, those of one event together:
    /// when the engine has processed an event, its changes are in the file. They survive the end of the process at any
    /// moment; a power failure may take back the last few. Values that another process writes are seen at the next
    /// start; of one key the last writer counts.
    ///
    /// - Parameters:
    ///   - file: the database file. It may also serve this machine's other SQLite stores.
    ///   - report: called when the file healed itself, and when changes could not be written, on any thread. By default
    ///     the engine's observer is warned; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the file cannot be opened, or is not to be touched.
    public convenience init(
        file: URL, report: (@Sendable (StoreDiagnostic) -> Void)? = nil
    ) throws {
        try self.init(file: file, options: StoreFile.Options(), report: report)
    }

    convenience init(
        file: URL, options: StoreFile.Options, report: (@Sendable (StoreDiagnostic) -> Void)?
    ) throws {
        let reports = StoreReports(report)
        let table = try ProfileTable(StoreFile(file, options: options, report: reports.report))
        self.init(values: table.values, reports: reports) { table.write($0) }
    }
}

/// The profile's table, and what it holds as far as this process knows.
private final class ProfileTable: Sendable {
    private let file: StoreFile
    private let written: Mutex<JSObject>

    /// The last written profile.
    var values: JSObject { written.withLock { $0 } }

    init(_ file: StoreFile) throws {
        self.file = file
        let values = try file.perform { connection in
            var values = JSObject()
            try connection.statement("SELECT key, value FROM profile ORDER BY key").forEach { row in
                let text = String(decoding: row.data(1), as: UTF8.self)
                // A value that something else wrote is left out.
                guard let document = try? ECMAScript.parseJSON(text) else { return }
                values[row.text(0)] = document.withRoot { $0.value }
            }
            return values
        }
        written = Mutex(values)
    }

    /// Writes what of `values` differs from what was written last. Calls come one at a time.
    func write(_ values: JSObject) {
        let known = self.values
        do {
            try file.perform { connection in
                try connection.transaction {
                    for member in values where known[member.key] != member.value {
                        try connection.statement("INSERT OR REPLACE INTO profile (key, value) VALUES (?, ?)").run(
                            .data(Data(member.key.name.utf8)),
                            .data(Data(ECMAScript.jsonText(keepingNumbersOf: member.value).utf8)))
                    }
                    for member in known where values[member.key] == nil {
                        try connection.statement("DELETE FROM profile WHERE key = ?").run(
                            .data(Data(member.key.name.utf8)))
                    }
                }
            }
            written.withLock { $0 = values }
        } catch {
            file.reportLater([.profileWaiting(path: file.path)])
        }
    }
}
