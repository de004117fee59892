import Synchronization

/// What arrived, and what is to be refused.
final class Ledger: Sendable {
    struct State {
        /// Number of tracking requests that are still to be answered 500.
        var failuresToCome = 0
        var refusedRequests = 0
        var acceptedRequests = 0
        var configsSent = 0
        var configsUnchanged = 0
        /// How often each event arrived.
        var events: [String: Int] = [:]
    }

    private let state = Mutex(State())

    func read<Result: Sendable>(_ body: (State) -> Result) -> Result { state.withLock { body($0) } }

    func failNext(_ count: Int) { state.withLock { $0.failuresToCome = max(0, count) } }

    func countConfig(isSent: Bool) {
        state.withLock { state in
            if isSent { state.configsSent += 1 } else { state.configsUnchanged += 1 }
        }
    }

    /// Takes events, all of them or none. Returns whether it did.
    func take(_ eventIDs: [String]) -> Bool {
        state.withLock { state in
            if state.failuresToCome > 0 {
                state.failuresToCome -= 1
                state.refusedRequests += 1
                return false
            }
            state.acceptedRequests += 1
            for id in eventIDs { state.events[id, default: 0] += 1 }
            return true
        }
    }
}
