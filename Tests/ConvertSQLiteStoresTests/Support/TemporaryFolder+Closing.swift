import ConvertTestSupport

extension TemporaryFolder {
    /// Waits until nobody has the database open, and tells whether that came: the thread of a store that was let go of may
    /// be the last to close it. SQLite removes the log then.
    func isClosed() async -> Bool { await eventually { !names.contains("store.sqlite-wal") } }
}
