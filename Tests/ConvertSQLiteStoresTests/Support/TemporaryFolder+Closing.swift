import ConvertTestSupport

extension TemporaryFolder {
    /// Waits until the database is closed everywhere, and returns whether it was. The thread of a released store may be
    /// the last to close it; SQLite removes the log then.
    func isClosed() async -> Bool { await eventually { !names.contains("store.sqlite-wal") } }
}
