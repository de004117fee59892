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

/// Keeps the use of C libraries apart from the end of the process.
///
/// `exit` takes down what libcurl and libpq use, such as OpenSSL and Kerberos, while other threads go on. A thread within such
/// a library would find destroyed locks and freed memory, and crash a process that ends in good order. So `exit` first asks
/// every use under way to stop and waits for it, two seconds at most, and no use begins any more.
package enum LibraryUse {
    private struct State {
        var isEnding = false
        var useCount = 0
        /// Ask uses to stop, by the uses' numbers.
        var stops: [Int: @Sendable () -> Void] = [:]
        /// What the use that ended last left to be done.
        var rest: (@Sendable () -> Void)?
    }

    private static let state = Mutex(State())
    private static let underWay = DispatchGroup()
    /// When the end of the process stops waiting: for a use that asks the system's resolver, perhaps. It is first read when
    /// the end begins.
    private static let endOfWait = DispatchTime.now() + .seconds(2)
    /// The process that has the uses. A child that it forks has none of them, and has locks that nothing may ever release.
    private static let process = getpid()
    /// Registered before the first use, since loading a library is one.
    private static let isRegistered: Bool = {
        // Read here, or a child would take itself for this process.
        _ = process
        return register()
    }()

    /// Whether the process is ending, and uses under way are to be given up.
    package static var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Runs `body`, which loads and initializes a library, unless the process is ending: then it returns `nil`.
    /// - Parameter library: the library's file name; `nil` if the executable is linked with it.
    package static func initialize<Value, Failure: Error>(
        _ library: String?, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        let value = try whileTheProcessLasts { () throws(Failure) -> Value? in
            keepOpenSSL(of: library)
            let value = try body()
            // What is registered later runs earlier, so before what the library has registered.
            return register() ? value : nil
        }
        return value ?? nil
    }

    /// Runs `body`, which calls a library, unless the process is ending: then it returns `nil`.
    package static func whileTheProcessLasts<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let use = begin() else { return nil }
        defer { end(use) }
        return try body()
    }

    /// Begins a use.
    /// - Parameter stop: asks the use to end soon. It is called at the end of the process, on another thread.
    /// - Returns: the use's number; `nil` if the process is ending.
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

    /// Ends the use of that number.
    /// - Parameter rest: what remains to be done. The next use that ends with a `rest` does it, or the end of the process.
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

    /// Makes OpenSSL, if the library uses it, register no clean-up of the process.
    ///
    /// OpenSSL would register it amid its initialization, so behind everything that is registered here, and `exit` on another
    /// thread would run it at once. A forked child would run it with the locks that threads of its parent held.
    private static func keepOpenSSL(of library: String?) {
        typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> Int32
        // The handle leads to what the library itself uses; the process may have several OpenSSLs, or none. The number is
        // OPENSSL_INIT_NO_ATEXIT. The cast is sound: in every OpenSSL that has this function, and in what descends from it, it is
        // `int (uint64_t, const OPENSSL_INIT_SETTINGS *)`, and a null pointer means no settings.
        guard let handle = dlopen(library, RTLD_NOW | RTLD_LOCAL), let symbol = dlsym(handle, "OPENSSL_init_crypto")
        else { return }
        _ = unsafeBitCast(symbol, to: Initialize.self)(0x0008_0000, nil)
    }
}
