#if os(Linux)
import ConvertConcurrency

/// Which transfers run, and which wait until a host has room for them.
///
/// libcurl can limit the connections of a host itself, but a transfer that waits there may be forgotten under load (seen
/// with 7.88.1), and how it waits changed from version to version.
struct HostQueues {
    private struct Host {
        var runningCount = 0
        var waiting = FIFOQueue<Transfer>()

        mutating func takeWaiting() -> [Transfer] {
            defer { waiting = FIFOQueue() }
            return waiting.elements
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
            hosts[transfer.origin, default: Host()].waiting.append(transfer)
        }
        return mayRun
    }

    /// Takes note that `transfer` runs no longer; returns the one that may run now.
    mutating func end(_ transfer: Transfer) -> Transfer? {
        let next = hosts[transfer.origin]?.waiting.popFirst()
        if next != nil { return next }
        hosts[transfer.origin]?.runningCount -= 1
        if hosts[transfer.origin]?.runningCount == 0 { hosts[transfer.origin] = nil }
        return nil
    }

    /// Lets go of `transfer` if it waits.
    mutating func remove(_ transfer: Transfer) {
        hosts[transfer.origin]?.waiting.removeFirst { $0 === transfer }
    }

    /// Lets go of all that wait, and returns them.
    mutating func removeWaiting() -> [Transfer] {
        hosts.keys.flatMap { hosts[$0]?.takeWaiting() ?? [] }
    }
}
#endif
