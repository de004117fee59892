// Only this file imports `Synchronization`. Others import this module, where `Mutex` is either the system's or the one
// below.
@_exported public import Synchronization

// The order of locks. A thread that holds one of these locks may only take locks further down the list:
//
// 1. A context's state (`ConvertContext`).
// 2. A visitor's record (`VisitorRecord`).
// 3. Writes that wait for the ledger (`LedgerWriter.state`).
// 4. The delivery's state (`EventDelivery.machine`).
// 5. A connection to a database file of an event history or a profile (`StoreFile`), or a connection to a database
//    server (`Pool.Slot`). Statements run under it.
// 6. The waiting records of an event history, the time limit of its clean-up, and whether a server can be used
//    (`Pool.state`).
// 7. `LedgerRemovals.state`, `PostgresLedger.ownership` and `renewal`, `WriteAheadLog.progress`, the bases of contexts,
//    forced variations and features, loads of visitors, the decision log's lines, subscriptions, records of what was
//    logged, exclusive calls, alarms, the diagnostics of a store. Under these locks only a latch's lock may be taken.
//
// A transport's loop and the look-up of libcurl come before the uses of libraries (`LibraryUse`). Under the lock for a
// loop's commands no other lock is taken, but libcurl may be woken.
//
// The mobile engine's turn (`MobileRulesEngine`) comes before its rules and a history's connection.
//
// These parts of an app's code run under locks: its `RuleData` and its logger under a context's lock, and a history's
// look-ups and records under the engine's turn. They must not call the SDK or the engine.

#if (CONVERT_THREAD_SANITIZER || Simulation) && canImport(Glibc)
import Glibc

/// `Synchronization.Mutex`, in a form that ThreadSanitizer and `Tests/Simulation` can observe.
///
/// On Linux the system's type waits in a library that is not instrumented, so the sanitizer reports a race for
/// everything it protects. It also waits without calling a function that the simulation could replace. This type has
/// the same name, and replaces it in builds with the package trait `Simulation`, and in those made with
///
///     swift build --sanitize=thread -Xswiftc -DCONVERT_THREAD_SANITIZER --product ConvertStress
///
/// `Sendable` is unchecked. It is safe because the memory behind `value` is accessed only while `handle` is locked.
@usableFromInline
@safe
package final class Mutex<Value: ~Copyable>: @unchecked Sendable {
    private let handle = unsafe Owned(pthread_mutex_t())
    // In its own memory: a stored property without a size would share its address with the end of the object.
    private let value: Owned<Value>

    package init(_ value: consuming sending Value) {
        self.value = Owned(value)
        unsafe pthread_mutex_init(handle.pointer, nil)
    }

    deinit { unsafe pthread_mutex_destroy(handle.pointer) }

    @usableFromInline
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(handle.pointer)
        defer { unsafe pthread_mutex_unlock(handle.pointer) }
        return try unsafe body(&value.pointer.pointee)
    }
}
#endif
