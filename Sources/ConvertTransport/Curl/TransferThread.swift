#if os(Linux)
import CConvertCurl
import ConvertConcurrency
import Foundation

/// Starts threads on which libcurl works, and sees to it that none of them is left when the process ends.
///
/// A thread that has used libcurl runs OpenSSL's clean-up of its own when it ends. If `exit` runs OpenSSL's clean-up of the
/// process at the same moment, the two meet in freed memory. So every thread is joined before that: each one that ends joins
/// the one that ended before it, and the process' end joins the last.
enum TransferThread {
    private struct State {
        /// What tells the threads to stop, by their numbers.
        var running: [Int: @Sendable () -> Void] = [:]
        var startCount = 0
        /// The thread that ended last, which nobody has joined.
        var ended: UInt?
        var isClosed = false
    }

    /// What a thread is given when it starts.
    private final class Start {
        let number: Int
        let body: @Sendable () -> Void

        init(number: Int, body: @escaping @Sendable () -> Void) {
            self.number = number
            self.body = body
        }
    }

    /// How long the process' end waits for threads to stop, one that waits for the system's resolver perhaps.
    private static let longestWait = DispatchTimeInterval.seconds(2)

    private static let state = Mutex(State())
    private static let running = DispatchGroup()
    /// Whether the process ends, and nothing may be initialized any more. Held while something is.
    private static let isEnding = Mutex(false)
    /// Registered before libcurl is initialized, so that the process' end waits for an initialization under way.
    private static let isGuarded = atexit { TransferThread.beginEnd() } == 0
    /// Registered once libcurl is initialized: what is registered later runs earlier, so before OpenSSL's clean-up.
    private static let isRegistered = atexit { TransferThread.endAll() } == 0
    /// The process that has the threads. A child that it forks has none of them, and locks that nobody may ever release.
    private static let process = getpid()

    /// What `initialize` returns, which initializes libcurl; `nil` if it was not called because the process is ending.
    /// One that throws has initialized nothing: if the end were registered after it, OpenSSL would register after that.
    static func whileTheProcessLasts<Value>(
        _ initialize: () throws(TransportError) -> Value
    ) throws(TransportError) -> Value? {
        guard isGuarded, process == getpid() else { return nil }
        return try isEnding.withLock { isEnding throws(TransportError) -> Value? in
            if isEnding { return nil }
            let value = try initialize()
            return isRegistered ? value : nil
        }
    }

    /// Runs `body` on a thread of its own. At the end of the process `stop` is called, on another thread, and `body` must
    /// return soon after. libcurl must have been initialized by ``whileTheProcessLasts(_:)``.
    /// - Returns: `false` if there can be no thread, for want of memory or because the process is ending.
    static func start(_ body: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) -> Bool {
        let number = state.withLock { state -> Int? in
            if state.isClosed { return nil }
            state.startCount += 1
            state.running[state.startCount] = stop
            running.enter()
            return state.startCount
        }
        guard let number else { return false }
        let start = Unmanaged.passRetained(Start(number: number, body: body))
        let status = convert_curl_start_thread({ TransferThread.run($0) }, start.toOpaque())
        if status != 0 {
            start.release()
            state.withLock { _ = $0.running.removeValue(forKey: number) }
            running.leave()
        }
        return status == 0
    }

    private static func run(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let start else { return nil }
        let (number, body) = {
            let start = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
            return (start.number, start.body)
        }()
        body()
        let former = state.withLock { state in
            state.running[number] = nil
            defer { state.ended = convert_curl_current_thread() }
            return state.ended
        }
        running.leave()
        if let former { convert_curl_join_thread(former) }
        return nil
    }

    private static func beginEnd() {
        guard process == getpid() else { return }
        isEnding.withLock { $0 = true }
    }

    private static func endAll() {
        guard process == getpid() else { return }
        let stops = state.withLock { state in
            state.isClosed = true
            return Array(state.running.values)
        }
        for stop in stops { stop() }
        guard running.wait(timeout: .now() + longestWait) == .success else { return }
        if let ended = state.withLock({ $0.ended.take() }) { convert_curl_join_thread(ended) }
    }
}
#endif
