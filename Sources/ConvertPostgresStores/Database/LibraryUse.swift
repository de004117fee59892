#if Postgres
import ConvertConcurrency
import ConvertStoreSupport
import Foundation

/// Keeps calls of libpq and the end of the process apart.
///
/// `exit` takes down what libpq uses, OpenSSL and Kerberos, while other threads go on. One that connects then would find
/// destroyed locks and freed memory, and abort a process that ends in good order. So `exit` waits for calls under way,
/// which end soon because they see ``isEnding``, and none begins any more.
enum LibraryUse {
    private static let isClosed = Mutex(false)
    private static let underWay = DispatchGroup()
    /// How long the process' end waits for calls, one that asks the system's resolver perhaps.
    private static let longestWait = DispatchTimeInterval.seconds(2)
    /// The process that has the calls. A child that it forks has none of them.
    private static let process = getpid()
    /// Registered before the first call, so that it runs before libraries are taken down.
    private static let isRegistered: Bool = {
        keepOpenSSL()
        // Found out here, or a child would take itself for it.
        _ = process
        return atexit { LibraryUse.close() } == 0
    }()

    /// Whether the process ends, and calls under way are to be given up.
    static var isEnding: Bool { isClosed.withLock { $0 } }

    /// Runs `body`, which calls libpq, unless the process is ending: then it returns `nil`.
    static func whileTheProcessLasts<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure)
        -> Value?
    {
        let mayBegin =
            isRegistered
            && isClosed.withLock { isClosed in
                if !isClosed { underWay.enter() }
                return !isClosed
            }
        guard mayBegin else { return nil }
        defer { underWay.leave() }
        return try body()
    }

    private static func close() {
        guard process == getpid() else { return }
        isClosed.withLock { $0 = true }
        _ = underWay.wait(timeout: .now() + longestWait)
    }

    /// Tells OpenSSL to register no clean-up of its own, which nothing here could come before: it would be registered with
    /// the first TLS connection. Threads that have used OpenSSL also run into it when they end.
    private static func keepOpenSSL() {
        typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> Int32
        // libpq may be built without OpenSSL. The number is OPENSSL_INIT_NO_ATEXIT. The cast is sound: in every OpenSSL that has
        // this function it is `int (uint64_t, const OPENSSL_INIT_SETTINGS *)`, and a null pointer means no settings.
        guard let all = dlopen(nil, RTLD_NOW), let symbol = dlsym(all, "OPENSSL_init_crypto") else { return }
        _ = unsafeBitCast(symbol, to: Initialize.self)(0x0008_0000, nil)
    }
}
#endif
