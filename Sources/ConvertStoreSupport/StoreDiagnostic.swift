internal import ConvertECMAScript
import Foundation

/// Something about a store that a person should know although it goes on working. More cases may come.
///
/// Diagnostics go to the `report` closure that the store was made with. Without one, the SDK that uses the store logs
/// them, or the mobile rules engine passes them to its observer. A store is made first, so its diagnostics wait for
/// that, for 10 seconds; if nothing uses the store by then, as behind a store of the app's own, they are printed to
/// standard error.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum StoreDiagnostic: Sendable, Equatable {
    /// The database was corrupt. It was renamed, and a new one begun; what it held is missing from the store.
    case corruptDatabaseSetAside(path: String, movedTo: String)
    /// The database file was deleted or renamed while it was in use. What is at its path now is used, or a new one
    /// begun.
    case databaseReplaced(path: String)
    /// Something about the database could not be right and was mended, such as a counter or a missing table; what was
    /// in a missing table is lost. `what` is for people.
    case databaseMended(path: String, what: String)
    /// A reader keeps a transaction open, so the database's log cannot be shortened. An event history writes nothing
    /// until it ends; a ledger goes on and its log grows.
    case logHeld(path: String)
    /// Records of the event history wait in memory, because they cannot be written now. They count, and are tried
    /// again.
    case recordsWaiting(path: String)
    /// Changes of a client-side profile could not be written. They are tried again with the next change.
    case profileWaiting(path: String)
    /// The database server cannot be used now; `error` says why. Reported once per outage; retried with backoff.
    case databaseUnavailable(StorageError)
    /// The database server can be used again.
    case databaseAvailable(path: String)
    /// Undelivered events of a process that has ended were taken over.
    case eventsTakenOver(path: String, count: Int)
    /// `count` records of the event history could not be written until the end.
    case recordsLost(path: String, count: Int)
}

extension StoreDiagnostic: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .corruptDatabaseSetAside(let path, let aside):
            "The database \(path) was corrupt; it was moved to \(aside), and a new one begun."
        case .databaseReplaced(let path):
            "The database \(path) was deleted or renamed while it was in use; the one at its path is used from now on."
        case .databaseMended(let path, let what):
            "The database \(path) was damaged; this was mended: \(what)."
        case .logHeld(let path):
            "The log of the database \(path) cannot be begun anew; look for a process that keeps a transaction open."
        case .recordsWaiting(let path):
            "The event history \(path) cannot be written to now; records wait in memory and are tried again."
        case .profileWaiting(let path):
            "The profile \(path) could not be written; its changes are tried again with the next one."
        case .databaseUnavailable(let error):
            "\(error); it is tried again."
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
    /// Prints `diagnostic` as a line to standard error, past the SDK's logger.
    public static let printToStandardError: @Sendable (StoreDiagnostic) -> Void = { diagnostic in
        // The call that does not throw ends the process if the line cannot be written.
        let line = "convert: warn: \(diagnostic.description.onOneLine)\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
