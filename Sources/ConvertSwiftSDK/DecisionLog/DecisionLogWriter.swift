import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertTransport
import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes a decision log's lines in the background, in order.
final class DecisionLogWriter: Sendable {
    private struct State {
        var waiting: [DecisionRecord] = []
        var counts = DecisionLogCounts()
        /// The number of records that are done: written, lost or forgotten.
        var doneCount = 0
        var takenCount = 0
        var isRunning = false
        var isEnded = false
        /// Ends the wait for further lines. Each wait has a new latch.
        var wake = Latch()
        /// The flushes, each waiting until `count` records are done.
        var flushes: [(count: Int, latch: Latch)] = []

        /// Counts records that are done. Returns the latches of the flushes that waited for them.
        mutating func takeFlushes(after count: Int) -> [Latch] {
            doneCount += count
            Invariant.check(doneCount <= takenCount, "no line is written that was not taken")
            Invariant.check(waiting.count <= takenCount - doneCount, "lines that wait are not done")
            let done = flushes.filter { $0.count <= doneCount }
            flushes.removeAll { $0.count <= doneCount }
            return done.map(\.latch)
        }
    }

    /// The maximum number of records in one write.
    private static let batchLength = 1000
    /// Differs from the seed of bucketing: the sample of visitors must not depend on their bucket values.
    private static let seed: UInt32 = 0x5eed_106

    let log: DecisionLog
    private let time: any TimeSource
    private let losses: LossLog
    private let state = Mutex(State())

    init(_ log: DecisionLog, time: any TimeSource, losses: LossLog) {
        self.log = log
        self.time = time
        self.losses = losses
    }

    /// The number of lines by state.
    var counts: DecisionLogCounts {
        state.withLock { state in
            var counts = state.counts
            counts.waiting = state.takenCount - state.doneCount
            return counts
        }
    }

    /// Whether the visitor's answers are logged.
    func wants(_ visitorID: String) -> Bool {
        if log.visitorShare >= 1 { return !visitorID.isEmpty }
        var hash = MurmurHash3(seed: Self.seed)
        hash.combine(visitorID)
        return Double(hash.finalize()) < log.visitorShare * 4_294_967_296 && !visitorID.isEmpty
    }

    /// Queues a record, unless too many wait or the log has ended.
    func take(_ record: DecisionRecord) {
        enum Outcome { case taken, takenFirst, full, ended }
        let capacity = max(1, log.capacity)
        let outcome = state.withLock { state -> Outcome in
            guard !state.isEnded, state.waiting.count < capacity else {
                state.counts.lost += 1
                return state.isEnded ? .ended : .full
            }
            state.takenCount += 1
            state.waiting.append(record)
            Invariant.check(state.waiting.count <= capacity, "the lines that wait have room")
            if state.isRunning { return .taken }
            state.isRunning = true
            return .takenFirst
        }
        switch outcome {
        case .taken: break
        case .takenFirst: Task(priority: .utility) { await run() }
        case .ended: losses.add(1, of: .lines("the SDK was shut down. Shut it down after the last request."))
        case .full: losses.add(1, of: .lines("too many waited. Raise capacity, or lower visitorShare."))
        }
    }

    /// Drops the waiting records of a visitor.
    func forget(_ visitorID: String) {
        let done = state.withLock { state in
            let count = state.waiting.count
            state.waiting.removeAll { $0.visitorID.hasSameCodeUnits(as: visitorID) }
            return state.takeFlushes(after: count - state.waiting.count)
        }
        for flush in done { flush.open() }
    }

    /// Writes until no records wait.
    private func run() async {
        while let wake = nextWait() {
            _ = await wake.wait(until: time.now + max(.zero, log.interval), by: time)
            while let batch = nextBatch() { await write(batch) }
        }
    }

    /// The latch that ends the next wait; `nil` if no records wait.
    private func nextWait() -> Latch? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            if state.flushes.isEmpty && !state.isEnded { state.wake = Latch() }
            return state.wake
        }
    }

    private func nextBatch() -> [DecisionRecord]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            defer { state.waiting.removeFirst(min(Self.batchLength, state.waiting.count)) }
            let batch = state.waiting.prefix(Self.batchLength)
            return Array(PlantedFault.isPlanted("log-line-lost") ? batch.dropLast() : batch)
        }
    }

    private func write(_ batch: [DecisionRecord]) async {
        let error: (any Error)? = await withCheckedContinuation { continuation in
            // The sink may block its thread, and the task pool has few threads.
            DispatchQueue.global(qos: .utility).async { [log] in
                var lines = Data()
                for record in batch {
                    let members = record.members(pseudonym: log.pseudonym)
                    lines += ECMAScript.jsonText(keepingNumbersOf: .object(members)).utf8
                    lines.append(UInt8(ascii: "\n"))
                }
                do {
                    try log.sink.write(lines)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
        let done = state.withLock { state in
            if error == nil { state.counts.written += batch.count } else { state.counts.lost += batch.count }
            return state.takeFlushes(after: batch.count)
        }
        if let error {
            let reason = (error as? FileFailure)?.description ?? "\(type(of: error))"
            losses.add(batch.count, of: .lines("they cannot be written (\(reason)). Check path and disk space."))
        }
        for flush in done { flush.open() }
    }

    /// Writes all waiting records now. Returns when they are done, or at `end`.
    func flush(until end: Duration?) async {
        let latch = state.withLock { state -> Latch? in
            guard state.doneCount < state.takenCount else { return nil }
            let latch = Latch()
            state.flushes.append((state.takenCount, latch))
            state.wake.open()
            return latch
        }
        _ = await latch?.wait(until: end, by: time)
    }

    /// Writes all waiting records until `end`, and accepts no further ones.
    func finish(until end: Duration) async {
        await flush(until: end)
        state.withLock { $0.isEnded = true }
        await flush(until: end)
    }
}

extension LossLog.Loss {
    /// The loss of lines of the decision log.
    fileprivate static func lines(_ why: String) -> LossLog.Loss {
        LossLog.Loss(
            cause: .decisionLog, level: .warn,
            message: "lines of the decision log were given up since the start: \(why)")
    }
}
