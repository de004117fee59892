#if os(Linux)
import ConvertConcurrency

/// Which transfers run, and which wait until a host has room for them.
///
/// libcurl can limit the connections of a host itself, but a transfer that waits there may be forgotten under load (seen
/// with 7.88.1), and how it waits changed from version to version.
struct HostQueues {
    private struct Host {
        var runningCount = 0
        private var waiting: [ObjectIdentifier: Transfer] = [:]
        /// In the order of their coming; those that have left may still be here. An identifier may come again once its
        /// transfer is gone, and then the newer one runs a little sooner.
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
            // All may be cancelled at once, so they leave the order in bulk.
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

    /// Queues that let `limit` transfers of a host run at a time.
    init(limit: Int) { self.limit = limit }

    /// Takes `transfer`; `true` if it may run now.
    mutating func add(_ transfer: Transfer) -> Bool {
        let mayRun = hosts[transfer.origin, default: Host()].runningCount < limit
        // In place: there may be thousands.
        if mayRun {
            hosts[transfer.origin, default: Host()].runningCount += 1
        } else {
            hosts[transfer.origin, default: Host()].append(transfer)
        }
        return mayRun
    }

    /// Takes note that `transfer` runs no longer; returns the one that may run now.
    mutating func end(_ transfer: Transfer) -> Transfer? {
        let next = hosts[transfer.origin]?.popFirst()
        if next != nil { return next }
        hosts[transfer.origin]?.runningCount -= 1
        if hosts[transfer.origin]?.runningCount == 0 { hosts[transfer.origin] = nil }
        return nil
    }

    /// Lets go of `transfer` if it waits.
    mutating func remove(_ transfer: Transfer) {
        hosts[transfer.origin]?.remove(transfer)
    }

    /// Lets go of all that wait, and returns them.
    mutating func removeWaiting() -> [Transfer] {
        hosts.keys.flatMap { hosts[$0]?.takeWaiting() ?? [] }
    }
}
#endif
