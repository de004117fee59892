#if os(Linux)
import ConvertConcurrency

/// The transfers that are running, and the transfers that wait because their host has reached its limit.
///
/// libcurl can limit the connections of a host itself. But a transfer that waits in libcurl may be forgotten under load
/// (seen with 7.88.1), and the waiting behaviour changed from version to version.
struct HostQueues {
    private struct Host {
        var runningCount = 0
        private var waiting: [ObjectIdentifier: Transfer] = [:]
        /// The waiting transfers in order of arrival, and some that were removed. A later transfer may reuse the
        /// identifier of a removed one; it then runs slightly earlier.
        private var order = FIFOQueue<ObjectIdentifier>()

        mutating func append(_ transfer: Transfer) {
            waiting[ObjectIdentifier(transfer)] = transfer
            order.append(ObjectIdentifier(transfer))
        }

        mutating func popFirst() -> Transfer? {
            while let next = order.popFirst() {
                if let transfer = waiting.removeValue(forKey: next) { return transfer }
            }
            return nil
        }

        mutating func remove(_ transfer: Transfer) {
            waiting[ObjectIdentifier(transfer)] = nil
            // All transfers may be cancelled at once, so they are removed from the order in bulk.
            guard order.count > 2 * waiting.count + 16 else { return }
            var remaining = FIFOQueue<ObjectIdentifier>()
            for identifier in order.elements where waiting[identifier] != nil { remaining.append(identifier) }
            order = remaining
        }

        mutating func takeWaiting() -> [Transfer] {
            defer { (waiting, order) = ([:], FIFOQueue()) }
            return order.elements.compactMap { waiting[$0] }
        }
    }

    private let limit: Int
    private var hosts: [String: Host] = [:]

    /// Creates queues that run at most `limit` transfers of a host at a time.
    init(limit: Int) { self.limit = limit }

    /// Adds `transfer`; returns `true` if it may run now.
    mutating func add(_ transfer: Transfer) -> Bool {
        let mayRun = hosts[transfer.origin, default: Host()].runningCount < limit
        // Changed in place, because thousands may wait.
        if mayRun {
            hosts[transfer.origin, default: Host()].runningCount += 1
        } else {
            hosts[transfer.origin, default: Host()].append(transfer)
        }
        return mayRun
    }

    /// Removes `transfer`, which has ended, and returns the transfer that may run now.
    mutating func end(_ transfer: Transfer) -> Transfer? {
        let next = hosts[transfer.origin]?.popFirst()
        if next != nil { return next }
        hosts[transfer.origin]?.runningCount -= 1
        if hosts[transfer.origin]?.runningCount == 0 { hosts[transfer.origin] = nil }
        return nil
    }

    /// Removes `transfer` if it waits.
    mutating func remove(_ transfer: Transfer) {
        hosts[transfer.origin]?.remove(transfer)
    }

    /// Removes and returns all waiting transfers.
    mutating func removeWaiting() -> [Transfer] {
        hosts.keys.flatMap { hosts[$0]?.takeWaiting() ?? [] }
    }
}
#endif
