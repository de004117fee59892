internal import Dispatch

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// Coordinates the use of C libraries with the end of the process.
///
/// `exit` destroys what libcurl and libpq use, such as OpenSSL and Kerberos, while other threads continue. A thread
/// inside such a library would find destroyed locks and freed memory, and crash a process that ends normally. So `exit`
/// first asks all current uses to stop and waits for them, at most two seconds. No new use can begin then.
package enum LibraryUse {
    private struct State {
        var isEnding = false
        var useCount = 0
        /// Functions that ask uses to stop, by the uses' numbers.
        var stops: [Int: @Sendable () -> Void] = [:]
        /// Work that the last ended use left to be done.
        var rest: (@Sendable () -> Void)?
    }

    private static let state = Mutex(State())
    private static let underWay = DispatchGroup()
    /// The time until which the end of the process waits, for instance for a use that is inside the system's resolver.
    /// It is first read when the process begins to end.
    private static let endOfWait = DispatchTime.now() + .seconds(2)
    /// The process that the uses belong to. A forked child has no uses, but inherits locks that may never be released.
    private static let process = getpid()
    /// Registered before the first use; loading a library is a use too.
    private static let isRegistered: Bool = {
        // Read in the parent, because a child would otherwise store its own id.
        _ = process
        return register()
    }()

    /// Whether the process is ending, so that current uses must stop.
    package static var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Runs `body`, which loads and initializes a library. If the process is ending, returns `nil` instead.
    /// - Parameter library: the library's file name; `nil` if the executable is linked with it.
    package static func initialize<Value, Failure: Error>(
        _ library: String?, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        let value = try whileTheProcessLasts { () throws(Failure) -> Value? in
            keepOpenSSL(of: library)
            let value = try body()
            // Handlers run in reverse order of registration, so this handler runs before the library's handlers.
            return register() ? value : nil
        }
        return value ?? nil
    }

    /// Runs `body`, which calls a library. If the process is ending, returns `nil` instead.
    package static func whileTheProcessLasts<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let use = begin() else { return nil }
        defer { end(use) }
        return try body()
    }

    /// Begins a use.
    /// - Parameter stop: asks the use to end soon. It is called at the end of the process, on another thread.
    /// - Returns: the use's number, or `nil` if the process is ending.
    package static func begin(stop: (@Sendable () -> Void)? = nil) -> Int? {
        guard isRegistered, process == getpid() else { return nil }
        return state.withLock { state in
            if state.isEnding { return nil }
            state.useCount += 1
            state.stops[state.useCount] = stop
            underWay.enter()
            return state.useCount
        }
    }

    /// Ends the use with that number.
    /// - Parameter rest: work that remains to be done. The next use that ends with a `rest` does it, or else the end of
    ///   the process.
    package static func end(_ number: Int, leaving rest: (@Sendable () -> Void)? = nil) {
        let former = state.withLock { state -> (@Sendable () -> Void)? in
            state.stops[number] = nil
            guard let rest else { return nil }
            defer { state.rest = rest }
            return state.rest
        }
        underWay.leave()
        former?()
    }

    private static func register() -> Bool { atexit { LibraryUse.endAll() } == 0 }

    private static func endAll() {
        guard process == getpid() else { return }
        let stops = state.withLock { state in
            state.isEnding = true
            return Array(state.stops.values)
        }
        for stop in stops { stop() }
        guard underWay.wait(timeout: endOfWait) == .success else { return }
        state.withLock { $0.rest.take() }?()
    }

    /// If the library uses OpenSSL, prevents OpenSSL from registering its clean-up at the end of the process.
    ///
    /// OpenSSL would register it during its initialization, after the handler registered here, so `exit` on another
    /// thread would run it first. A forked child would run it while locks are held by threads of its parent.
    private static func keepOpenSSL(of library: String?) {
        typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> Int32
        // The handle gives access to the library's own dependencies; the process may have several OpenSSLs, or none.
        // The number is OPENSSL_INIT_NO_ATEXIT. The cast is sound: in every OpenSSL with this function, and in its
        // derivatives, the type is `int (uint64_t, const OPENSSL_INIT_SETTINGS *)`, and a null pointer means no
        // settings.
        guard let handle = unsafe dlopen(library, RTLD_NOW | RTLD_LOCAL),
            let symbol = unsafe dlsym(handle, "OPENSSL_init_crypto")
        else { return }
        _ = unsafe unsafeBitCast(symbol, to: Initialize.self)(0x0008_0000, nil)
    }
}
