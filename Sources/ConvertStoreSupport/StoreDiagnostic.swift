internal import ConvertECMAScript
import Foundation

/// A problem of a store that people should know about although the store continues. More cases may be added.
///
/// The `report` closure of the store receives its diagnostics. Without one, the SDK that uses the store logs them, or
/// the mobile rules engine passes them to its observer. Diagnostics wait up to 10 seconds for the SDK or engine,
/// because a store is created first. After that they are printed to standard error, for example if the store is behind
/// an app's own store.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum StoreDiagnostic: Sendable, Equatable {
    /// The database was corrupt. It was renamed and replaced by an empty one; its contents are missing from the store.
    case corruptDatabaseSetAside(path: String, movedTo: String)
    /// The database file was deleted or renamed while it was in use. The store continues with the file at the path, or
    /// a new one.
    case databaseReplaced(path: String)
    /// Unreadable data in the database was replaced. `what` describes it for people.
    case databaseMended(path: String, what: String)
    /// A reader keeps a transaction open, so the database's log cannot restart. Until the reader ends, an event history
    /// writes nothing more; a ledger continues, and its log grows.
    case logHeld(path: String)
    /// Records of the event history cannot be written now. They wait in memory, count in look-ups, and are retried.
    case recordsWaiting(path: String)
    /// Changes of a client-side profile could not be written. They are retried with the next change.
    case profileWaiting(path: String)
    /// The database server cannot be used now, because of the error. Reported once per outage; retried with backoff.
    case databaseUnavailable(StorageError)
    /// The database server can be used again.
    case databaseAvailable(path: String)
    /// This process took over undelivered events of a process that has ended.
    case eventsTakenOver(path: String, count: Int)
    /// `count` records of the event history could not be written before the history was deallocated.
    case recordsLost(path: String, count: Int)
}

extension StoreDiagnostic: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .corruptDatabaseSetAside(let path, let aside):
            "The database \(path) was corrupt; it was moved to \(aside) and replaced by an empty one."
        case .databaseReplaced(let path):
            "The database \(path) was deleted or renamed while it was in use; the one at its path is used from now on."
        case .databaseMended(let path, let what):
            "The database \(path) was damaged and repaired: \(what)."
        case .logHeld(let path):
            "The log of the database \(path) cannot restart; look for a process that keeps a transaction open."
        case .recordsWaiting(let path):
            "The event history \(path) cannot be written to now; records wait in memory and are retried."
        case .profileWaiting(let path):
            "The profile \(path) could not be written; its changes are retried with the next one."
        case .databaseUnavailable(let error):
            "\(error); the store retries."
        case .databaseAvailable(let path):
            "The database \(path) can be used again."
        case .eventsTakenOver(let path, let count):
            "\(count) events of a process that has ended were taken over from the database \(path)."
        case .recordsLost(let path, let count):
            "The event history \(path) could not be written to; \(count) records are lost."
        }
    }
}

extension StoreDiagnostic {
    /// Prints the diagnostic as a line to standard error, bypassing the SDK's logger.
    public static let printToStandardError: @Sendable (StoreDiagnostic) -> Void = { diagnostic in
        // `write(_:)`, which does not throw, would end the process if the line cannot be written.
        let line = "convert: warn: \(diagnostic.description.onOneLine)\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
