import ConvertConcurrency
import ConvertECMAScript
public import ConvertMobileRules
public import Foundation

extension ClientSideProfile {
    /// Creates a profile that an SQLite file keeps, so that values which rules wrote survive a restart.
    ///
    /// ```swift
    /// var configuration = MobileRulesConfiguration()
    /// configuration.profile = try ClientSideProfile(file: URL(fileURLWithPath: "/var/lib/shop/profile.sqlite"))
    /// ```
    ///
    /// This initializer reads the values. Changes are written on the thread that makes them; the changes of one event
    /// are written together before the engine finishes the event. They survive the end of the process at any moment; a
    /// power failure may revert the last few. Values that another process writes become visible at the next start. If
    /// several processes write a key, the last write wins.
    ///
    /// - Parameters:
    ///   - file: the database file. It may also serve this machine's other SQLite stores.
    ///   - report: called on any thread when the file was repaired, and when changes could not be written. By default
    ///     the engine's observer receives a warning; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the file cannot be opened or must not be changed.
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

/// The profile's table, and its contents as this process knows them.
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
                // Skips a value that is not JSON because something else wrote it.
                guard let document = try? ECMAScript.parseJSON(text) else { return }
                values[row.text(0)] = document.withRoot { $0.value }
            }
            return values
        }
        written = Mutex(values)
    }

    /// Writes the members of `values` that differ from the last written profile. Not called concurrently.
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
