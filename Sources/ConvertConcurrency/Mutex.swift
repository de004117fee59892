// The only file that imports `Synchronization`: others import this module, whose `Mutex` then is the system's or the one
// below.
@_exported public import Synchronization

// One order of locks. A thread that holds one of these takes only locks further down the list:
//
// 1. A context's state (`ConvertContext`).
// 2. A visitor's record (`VisitorRecord`).
// 3. What waits for the ledger (`LedgerWriter.state`).
// 4. The delivery's state (`EventDelivery.machine`).
// 5. A connection to a database file of an event history or a profile (`StoreFile`), or the one that moves its log; or a
//    connection to a database server (`Pool.Slot`). Under it statements run.
// 6. The records of an event history that wait, the limit of its cleaning, and whether a server can be used (`Pool.state`).
// 7. `LedgerRemovals.state`, `PostgresLedger.ownership` and `renewal`, `LedgerLog.progress`, the bases of contexts, what is
//    forced, loads of visitors, the decision log's lines, subscriptions, what was logged before, exclusive calls, alarms, the
//    diagnostics of a store: locks under which no other one is taken but a latch's.
//
// A transport's loop and the look-up of libcurl come before the uses of libraries (`LibraryUse`). Under a loop's commands no
// other lock is taken, but libcurl may be woken.
//
// The mobile engine's turn (`MobileRulesEngine`) comes before its rules and a history's connection.
//
// Of an app's code these run under locks: under a context's its `RuleData`, and its logger; under the engine's turn a
// history's look-ups and records. None of it may call the SDK or the engine.

#if (CONVERT_THREAD_SANITIZER || Simulation) && canImport(Glibc)
import Glibc

/// `Synchronization.Mutex` as ThreadSanitizer and `Tests/Simulation` can see it.
///
/// On Linux that type waits in a library that is not instrumented, so the sanitizer takes everything under it for a
/// race. It also waits without a call of a function that the simulation could stand in for. This one stands in for it, by its
/// name, in builds with the package trait `Simulation`, and in those made with
///
///     swift test --sanitize=thread -Xswiftc -DCONVERT_THREAD_SANITIZER --filter StressTests
///
/// It is `Sendable` because what `value` points to is only ever touched between locking and unlocking `handle`.
@usableFromInline
package final class Mutex<Value: ~Copyable>: @unchecked Sendable {
    private let handle: UnsafeMutablePointer<pthread_mutex_t>
    // In memory of its own: a stored property without a size would share its address with the object's end.
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        handle = .allocate(capacity: 1)
        handle.initialize(to: pthread_mutex_t())
        pthread_mutex_init(handle, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(handle)
        handle.deallocate()
    }

    @usableFromInline
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(handle)
        defer { pthread_mutex_unlock(handle) }
        return try body(&value.pointee)
    }
}
#endif
