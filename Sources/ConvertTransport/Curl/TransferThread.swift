#if os(Linux)
import CConvertCurl
import ConvertConcurrency

/// Starts threads for libcurl, and ensures that they have ended before the process ends.
///
/// A thread that has used libcurl runs a clean-up of OpenSSL when it ends, which must not coincide with the end of the
/// process. So every thread is joined: each thread that ends joins the thread that ended before it, and the end of the
/// process joins the last thread.
enum TransferThread {
    /// The argument of a new thread.
    private final class Start {
        let use: Int
        let body: @Sendable () -> Void

        init(use: Int, body: @escaping @Sendable () -> Void) {
            self.use = use
            self.body = body
        }
    }

    /// Runs `body` on a new thread. At the end of the process, `stop` is called on another thread, and `body` must
    /// return soon after.
    /// - Returns: `false` if no thread can be started, for lack of memory or because the process is ending.
    static func start(_ body: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) -> Bool {
        guard let use = LibraryUse.begin(stop: stop) else { return false }
        let start = unsafe Unmanaged.passRetained(Start(use: use, body: body))
        if unsafe convert_curl_start_thread({ unsafe TransferThread.run($0) }, unsafe start.toOpaque()) == 0 {
            return true
        }
        unsafe start.release()
        LibraryUse.end(use)
        return false
    }

    private static func run(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let start = unsafe start else { return nil }
        let (use, body) = {
            // Takes over the reference that `start(_:stop:)` has passed, once for each thread.
            let start = unsafe Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
            return (start.use, start.body)
        }()
        body()
        let thread = convert_curl_current_thread()
        LibraryUse.end(use) { convert_curl_join_thread(thread) }
        return nil
    }
}
#endif
