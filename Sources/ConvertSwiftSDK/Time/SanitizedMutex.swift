#if CONVERT_THREAD_SANITIZER && canImport(Glibc)
    import Glibc

    /// `Synchronization.Mutex` as ThreadSanitizer can see it.
    ///
    /// On Linux that type waits in a library that is not instrumented, so the sanitizer takes everything under it for a
    /// race. This one stands in for it, by its name, in builds made with
    ///
    ///     swift test --sanitize=thread -Xswiftc -DCONVERT_THREAD_SANITIZER --filter ConvertSwiftSDKTests
    ///
    /// Other modules and tests that lock have a symbolic link to this file.
    ///
    /// It is `Sendable` because `value` is only ever touched between locking and unlocking `handle`.
    final class Mutex<Value>: @unchecked Sendable {
        private let handle: UnsafeMutablePointer<pthread_mutex_t>
        private var value: Value

        init(_ value: consuming sending Value) {
            handle = .allocate(capacity: 1)
            handle.initialize(to: pthread_mutex_t())
            pthread_mutex_init(handle, nil)
            self.value = value
        }

        deinit {
            pthread_mutex_destroy(handle)
            handle.deallocate()
        }

        func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(handle)
            defer { pthread_mutex_unlock(handle) }
            return try body(&value)
        }
    }
#endif
