/// The tables of a kind of database, as a list of migration steps.
///
/// A released step never changes; changes are appended as new steps. The file's `user_version` has the number of
/// applied steps.
struct Schema: Sendable {
    /// Marks a database as one of this kind.
    let applicationID: Int64
    var steps: [String]
    /// Statements that fail if one of the tables or of their columns is missing.
    let uses: String

    /// Applies the missing steps.
    ///
    /// Several processes may call this at once: the first one applies the steps, the others wait for it.
    /// - Throws: `StorageError`, with `newerVersion` or `foreignDatabase` if the file must not be changed.
    func apply(to connection: Connection) throws {
        let isComplete = try isCurrent(connection)
        // Takes effect only while the file is empty; allows `giveRoomBack` to return free pages to the disk.
        if !isComplete { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        _ = try connection.statement("PRAGMA journal_mode = WAL").first { _ in }
        if isComplete { return }
        try connection.transaction {
            if try isCurrent(connection) { return }
            let version = try connection.integer("PRAGMA user_version")
            for step in steps.dropFirst(Int(version)) { try connection.execute(step) }
            try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
        }
    }

    /// Whether all steps are applied.
    /// - Throws: if the file must not be changed.
    private func isCurrent(_ connection: Connection) throws -> Bool {
        let version = try connection.integer("PRAGMA user_version")
        let mark = try connection.integer("PRAGMA application_id")
        if mark == applicationID {
            if version > steps.count { throw StorageError(.newerVersion, path: connection.name) }
            if version < 0 { throw StorageError(.corrupt, path: connection.name) }
            return version == steps.count
        }
        let isNew = try mark == 0 && version == 0 && connection.integer("SELECT count(*) FROM sqlite_master") == 0
        guard isNew else { throw StorageError(.foreignDatabase, path: connection.name) }
        return false
    }
}
