#if os(Linux)
import CConvertCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// All that hands memory to libcurl is in `MultiHandle` and `EasyHandle`. What makes it safe:
// - Both kinds of handle are made, used and closed on one thread, the loop's; they are not Sendable. libcurl calls back on
//   that thread only, from within these calls.
// - An easy handle knows its transfer by an unretained pointer. `EasyHandle` retains the transfer, and closes the handle
//   before it lets go. It is let go only after it was removed from the multi handle.
// - libcurl copies strings and the body that it is given; a header list lives as long as its handle.
// - `Waker` is what other threads have. The loop uses it under its lock, and drops it there before the multi handle goes.

/// The transfers of one thread, and the connections that they share.
final class MultiHandle {
    /// Interrupts `wait()` from any thread, as long as the handle is there.
    struct Waker: @unchecked Sendable {
        fileprivate let library: CurlLibrary
        fileprivate let multi: UnsafeMutableRawPointer

        func wake() { _ = library.functions.multi_wakeup(multi) }
    }

    /// How long to wait if nothing happens, in milliseconds; only a bound.
    private static let longestWait: Int32 = 60_000

    private let library: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: EasyHandle] = [:]
    private var pointers: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]
    private var queues: HostQueues

    /// A handle; `nil` if the system is out of memory or file descriptors.
    init?(_ library: CurlLibrary, connectionsPerHost: Int) {
        guard let multi = library.functions.multi_init() else { return nil }
        self.library = library
        self.multi = multi
        queues = HostQueues(limit: connectionsPerHost)
        // A handle that cannot be woken would be deaf.
        guard library.functions.multi_wakeup(multi) == CONVERT_CURLM_OK else { return nil }
    }

    deinit { _ = library.functions.multi_cleanup(multi) }

    var waker: Waker { Waker(library: library, multi: multi) }

    /// Whether there is no transfer; none waits then either.
    var isIdle: Bool { transfers.isEmpty }

    /// Starts `transfer`, now or when its host has room.
    func add(_ transfer: Transfer) { if queues.add(transfer) { start(transfer) } }

    /// Ends `transfer` without a word, if it is there.
    func remove(_ transfer: Transfer) {
        if let pointer = pointers[ObjectIdentifier(transfer)] {
            _ = remove(pointer)
        } else {
            queues.remove(transfer)
        }
    }

    /// Does what can be done without waiting.
    func perform() {
        var running: Int32 = 0
        let status = library.functions.multi_perform(multi, &running)
        if status != CONVERT_CURLM_OK { endAll(underlying: Int(status)) }
        withUnsafePointer(to: library.functions) { functions in
            var result: Int32 = 0
            while let pointer = convert_curl_next_ended(functions, multi, &result) {
                remove(pointer)?.complete(CurlFailure(result))
            }
        }
    }

    /// Waits until there is something to do, or somebody wakes it.
    func wait() {
        let status = library.functions.multi_poll(multi, nil, 0, Self.longestWait, nil)
        guard status != CONVERT_CURLM_OK else { return }
        endAll(underlying: Int(status))
        // Should it fail again at once, the thread must not run hot.
        usleep(10_000)
    }

    /// Ends every transfer, those that wait for room too.
    func endAll(underlying: Int? = nil) {
        for transfer in queues.removeWaiting() { transfer.fail(.other, underlying: underlying) }
        for pointer in transfers.keys { remove(pointer)?.fail(.other, underlying: underlying) }
    }

    /// Starts `transfer`, or the next one of its host if that is over or cannot be started.
    private func start(_ transfer: Transfer) {
        var next: Transfer? = transfer
        while let transfer = next, !begin(transfer) { next = queues.end(transfer) }
    }

    /// Hands `transfer` to libcurl; `false` if it is over already, or now.
    private func begin(_ transfer: Transfer) -> Bool {
        guard !transfer.outcome.isSettled else { return false }
        guard let easy = EasyHandle(transfer, of: library),
            library.functions.multi_add_handle(multi, easy.pointer) == CONVERT_CURLM_OK
        else {
            transfer.fail(.other)
            return false
        }
        transfers[easy.pointer] = easy
        pointers[ObjectIdentifier(transfer)] = easy.pointer
        return true
    }

    private func remove(_ pointer: UnsafeMutableRawPointer) -> Transfer? {
        guard let easy = transfers[pointer] else { return nil }
        _ = library.functions.multi_remove_handle(multi, pointer)
        transfers[pointer] = nil
        pointers[ObjectIdentifier(easy.transfer)] = nil
        if let next = queues.end(easy.transfer) { start(next) }
        return easy.transfer
    }
}
#endif
