import ConvertConcurrency
import Dispatch

/// Calls that take turns at the journal. One leads: it appends its own events and those of all that wait behind it, tells each
/// what came of it, and lets the first that came meanwhile lead.
///
/// So nobody who has been served waits for the next step, and where a step takes long, as one that waits for the disk, all that
/// come meanwhile share the next one.
final class TrackingLine: Sendable {
    /// What a call is to do.
    enum Turn: Sendable {
        case leads
        /// Another call appended its events; it got this row for its claim.
        case isServed(Int64?)
    }

    /// A call that waits.
    final class Waiting: Sendable {
        let call: TrackedCall
        private let turn = Mutex<Turn>(.leads)
        private let isTold = DispatchSemaphore(value: 0)

        fileprivate init(_ call: TrackedCall) { self.call = call }

        fileprivate func tell(_ turn: Turn) {
            self.turn.withLock { $0 = turn }
            isTold.signal()
        }

        fileprivate func wait() -> Turn {
            isTold.wait()
            return turn.withLock { $0 }
        }
    }

    private struct State {
        var isLed = false
        var waiting: [Waiting] = []
    }

    private let state = Mutex(State())

    /// Number of calls that wait.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Waits until it is the call's turn, or another one has taken it along.
    func enter(_ call: TrackedCall) -> Turn {
        let isFree = state.withLock { state in
            defer { state.isLed = true }
            return !state.isLed
        }
        if isFree { return .leads }
        let waiting = Waiting(call)
        let mayLead = state.withLock { state in
            // The one before may have left meanwhile.
            if !state.isLed {
                state.isLed = true
                return true
            }
            state.waiting.append(waiting)
            return false
        }
        return mayLead ? .leads : waiting.wait()
    }

    /// The calls that wait behind the one that leads, in order.
    func takeWaiting() -> [Waiting] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Ends the turn of the one that leads, who took `served` along; `rows` are theirs.
    func leave(serving served: [Waiting], with rows: some Sequence<Int64?>) {
        for (waiting, row) in zip(served, rows) { waiting.tell(.isServed(row)) }
        let next = state.withLock { state -> Waiting? in
            if state.waiting.isEmpty {
                state.isLed = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.tell(.leads)
    }
}
