#if os(Linux)
import CConvertCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// All code that passes memory to libcurl is in `MultiHandle` and `EasyHandle`. It is safe for these reasons:
// - Both kinds of handle are created, used and closed on one thread, the loop's; they are not Sendable. libcurl calls
//   back only on that thread, within these calls.
// - An easy handle refers to its transfer by an unretained pointer. `EasyHandle` retains the transfer, and closes the
//   handle before it releases the transfer. It is released only after it was removed from the multi handle.
// - libcurl copies strings and the body that it receives; a header list lives as long as its handle.
// - Other threads only use `Waker`. The loop accesses it under its lock, and removes it there before the multi handle
//   is closed.

/// The transfers of one thread, and the connections that they share.
@safe
final class MultiHandle {
    /// Interrupts `wait()` from any thread, as long as the handle exists.
    @safe
    struct Waker: @unchecked Sendable {
        fileprivate let library: CurlLibrary
        fileprivate let multi: UnsafeMutableRawPointer

        func wake() { _ = unsafe library.functions.multi_wakeup(multi) }
    }

    /// The maximum wait in milliseconds if nothing happens.
    private static let longestWait: Int32 = 60_000

    private let library: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: EasyHandle] = unsafe [:]
    private var pointers: [ObjectIdentifier: UnsafeMutableRawPointer] = unsafe [:]
    private var queues: HostQueues

    /// Creates a handle; `nil` if the system lacks memory or file descriptors.
    init?(_ library: CurlLibrary, connectionsPerHost: Int) {
        guard let multi = library.functions.multi_init() else { return nil }
        self.library = library
        unsafe self.multi = unsafe multi
        queues = HostQueues(limit: connectionsPerHost)
        // Without a wake-up the handle would not notice new transfers.
        guard unsafe library.functions.multi_wakeup(multi) == CONVERT_CURLM_OK else { return nil }
    }

    deinit { _ = unsafe library.functions.multi_cleanup(multi) }

    var waker: Waker { unsafe Waker(library: library, multi: multi) }

    /// Whether there are no transfers, running or waiting.
    var isIdle: Bool { unsafe transfers.isEmpty }

    /// Starts `transfer`, immediately or when its host is below its limit.
    func add(_ transfer: Transfer) { if queues.add(transfer) { start(transfer) } }

    /// Ends `transfer` without an outcome. Does nothing if it is not in the handle.
    func remove(_ transfer: Transfer) {
        if let pointer = unsafe pointers[ObjectIdentifier(transfer)] {
            _ = unsafe remove(pointer)
        } else {
            queues.remove(transfer)
        }
    }

    /// Does all work that is possible without waiting.
    func perform() {
        var running: Int32 = 0
        let status = unsafe library.functions.multi_perform(multi, &running)
        if status != CONVERT_CURLM_OK { endAll(underlying: Int(status)) }
        unsafe withUnsafePointer(to: library.functions) { functions in
            var result: Int32 = 0
            while let pointer = unsafe convert_curl_next_ended(functions, multi, &result) {
                unsafe remove(pointer)?.complete(CurlFailure(result))
            }
        }
    }

    /// Waits until there is work to do, or until another thread wakes it.
    func wait() {
        let status = unsafe library.functions.multi_poll(multi, nil, 0, Self.longestWait, nil)
        guard status != CONVERT_CURLM_OK else { return }
        endAll(underlying: Int(status))
        // If the next wait fails at once too, the thread must not spin.
        usleep(10_000)
    }

    /// Ends all transfers, including waiting ones.
    func endAll(underlying: Int? = nil) {
        for transfer in queues.removeWaiting() { transfer.fail(.other, underlying: underlying) }
        unsafe transfers.keys.forEach { unsafe remove($0)?.fail(.other, underlying: underlying) }
    }

    /// Starts `transfer`, or the host's next one if `transfer` has ended or cannot start.
    private func start(_ transfer: Transfer) {
        var next: Transfer? = transfer
        while let transfer = next, !begin(transfer) { next = queues.end(transfer) }
    }

    /// Passes `transfer` to libcurl; `false` if the transfer had already ended or ends now.
    private func begin(_ transfer: Transfer) -> Bool {
        guard !transfer.outcome.isSettled else { return false }
        guard let easy = EasyHandle(transfer, of: library),
            unsafe library.functions.multi_add_handle(multi, easy.pointer) == CONVERT_CURLM_OK
        else {
            transfer.fail(.other)
            return false
        }
        unsafe transfers[easy.pointer] = easy
        unsafe pointers[ObjectIdentifier(transfer)] = unsafe easy.pointer
        return true
    }

    private func remove(_ pointer: UnsafeMutableRawPointer) -> Transfer? {
        guard let easy = unsafe transfers[pointer] else { return nil }
        _ = unsafe library.functions.multi_remove_handle(multi, pointer)
        unsafe transfers[pointer] = nil
        unsafe pointers[ObjectIdentifier(easy.transfer)] = nil
        if let next = queues.end(easy.transfer) { start(next) }
        return easy.transfer
    }
}
#endif
