import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The journal's part of the delivery: appending what is tracked, and reading what is stored.
///
/// A journal that fails, as one whose file another process has locked, is not asked by every call, each of which would wait
/// for it: after a failure events go to memory, and one attempt at a time, on a thread of its own, appends those that
/// wait there. Once it has caught up, or nothing waits, calls append again.
extension EventDelivery {
    /// How appending is going.
    struct Appending {
        /// Whether the journal failed, and has not caught up yet.
        var isFailing = false
        /// Whether it took something since.
        var hasRecovered = false
        var failures = 0
        /// What waits for the next attempt and makes it; `nil` if nothing waits for the journal.
        var catchingUp: Task<Void, Never>?
        var generator: any RandomNumberGenerator & Sendable
    }

    /// A foreign lock is over soon, and a full disk is not worth more.
    private static var backoff: Backoff { Backoff(first: .milliseconds(200), longest: .seconds(10)) }

    /// So many events are caught up with at once.
    private static var portion: Int { 500 }

    /// A journal is an app's own code; one that never answers must not hold up a flush.
    var journalTimeout: Duration { endpoint.timeout + .seconds(5) }

    /// Takes the events of one call, in order, and what it claims of the visitor's record. It returns at once, or with a
    /// journal as soon as all of it is safe there, in one step. Calls that wait for the journal at the same time share a step.
    ///
    /// What becomes of events is told on another thread: callers hold locks that a subscriber may want.
    /// - Returns: the row of the claim in the journal, if it is there.
    func track(_ events: [QueuedEvent], claiming claim: KeyedClaim? = nil) -> Int64? {
        defer { tellLater() }
        guard journal != nil, !isStopped else {
            for event in events { handle(.accepted(event)) }
            return nil
        }
        let call = TrackedCall(events, claiming: claim)
        if case .isServed(let row) = line.enter(call) { return row }
        let others = line.takeWaiting()
        var row: Int64?
        if others.isEmpty {
            appending.withLock { append(CollectionOfOne(call), &$0) { row = $0 } }
            line.leave(serving: [], with: [])
        } else {
            var rows: [Int64?] = []
            appending.withLock { append([call] + others.map(\.call), &$0) { rows.append($0) } }
            row = rows[0]
            line.leave(serving: others, with: rows.dropFirst())
        }
        return row
    }

    /// Appends all of `calls` in one step, or keeps them in memory, and tells of each the row of its claim.
    private func append(
        _ calls: some RandomAccessCollection<TrackedCall>, _ appending: inout Appending,
        telling tell: (_ row: Int64?) -> Void
    ) {
        if !appending.isFailing {
            do {
                let rows = try appendRows(of: calls)
                didAppend(&appending)
                return accept(calls, under: rows, telling: tell)
            } catch {
                didFail(error, &appending)
            }
        }
        for call in calls {
            if !PlantedFault.isPlanted("unjournaled-call-lost") { keep(call) }
            tell(nil)
        }
        if appending.catchingUp == nil { beginCatchingUp(&appending) }
    }

    /// Keeps the call's events in memory, the last one with the claim. A claim without events is left to the store.
    private func keep(_ call: TrackedCall) {
        for (index, event) in call.events.enumerated() {
            var event = event
            if index == call.events.count - 1 { event.claim = call.claim }
            handle(.accepted(event))
        }
    }

    private func accept(
        _ calls: some RandomAccessCollection<TrackedCall>, under rows: AppendedRows,
        telling tell: (_ row: Int64?) -> Void
    ) {
        var following = 0
        for (index, call) in calls.enumerated() where rows.hasCall(index) { following += call.events.count }
        var rowCount = 0
        for (index, call) in calls.enumerated() {
            guard let ids = rows.ids(of: call, at: index, behind: rowCount) else {
                handle(.refused(call.events.count, .countedElsewhere))
                tell(nil)
                continue
            }
            rowCount += call.rowCount
            for (row, event) in call.events.enumerated() {
                following -= 1
                var event = event
                event.journalID = ids[row]
                handle(.accepted(event, following: following))
            }
            tell(ids.claim)
        }
    }

    private func didAppend(_ appending: inout Appending) {
        if appending.failures == 0 { return }
        appending.failures = 0
        log.clear(.journalAppend)
    }

    private func didFail(_ error: any Error, _ appending: inout Appending) {
        log.once(
            .journalAppend,
            "the event journal takes no events (\(type(of: error))); they are kept in memory until it does.")
        appending.isFailing = true
        appending.hasRecovered = false
        appending.failures += 1
        if PlantedFault.isPlanted("append-failure-forgotten") { return appending.isFailing = false }
        beginCatchingUp(&appending)
    }

    /// Offers the journal what is in memory only, unless that is under way.
    func offerJournal() {
        appending.withLock { appending in
            if appending.isFailing { return }
            appending.isFailing = true
            beginCatchingUp(&appending)
        }
    }

    private func beginCatchingUp(_ appending: inout Appending) {
        // The end makes an attempt of its own.
        if isStopped { return }
        let delay =
            appending.failures == 0
            ? .zero : Self.backoff.delay(after: appending.failures, using: &appending.generator)
        let end = time.now + delay
        appending.catchingUp = Task { [weak self, time] in
            guard (try? await time.sleep(until: end)) != nil else { return }
            await self?.catchUp()
        }
    }

    /// Offers the journal what waits in memory only. One call runs at a time.
    private func catchUp() async {
        // The journal may block the thread, and tasks have few of them.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.appendWaiting()
                continuation.resume()
            }
        }
    }

    private func appendWaiting() {
        if journal == nil { return }
        var last: Int?
        while true {
            let events = machine.withLock { $0.state.unjournaled(Self.portion) }
            guard let first = events.first?.serial else {
                if endCatchingUp() { return }
                continue
            }
            do {
                // A journal whose ids cannot be used is not offered the same events for ever.
                if first == last { throw JournalFault() }
                last = first
                try append(events)
                appending.withLock { $0.hasRecovered = true }
            } catch {
                appending.withLock { didFail(error, &$0) }
                return
            }
        }
    }

    /// Lets calls append again, if nothing waits for the journal and it has taken something. Returns whether nothing waits.
    private func endCatchingUp() -> Bool {
        let isOver = appending.withLock { appending -> (isDone: Bool, isWell: Bool) in
            // Calls that find the journal failing put their events into memory under this lock.
            let isDone = machine.withLock { $0.state.unjournaled(1).isEmpty }
            guard isDone || PlantedFault.isPlanted("catching-up-not-rechecked") else { return (false, false) }
            appending.catchingUp = nil
            // Where nothing waits, the next call finds out whether the journal is well.
            appending.isFailing = false
            if appending.hasRecovered { appending.failures = 0 }
            return (true, appending.hasRecovered)
        }
        if isOver.isWell { log.clear(.journalAppend) }
        return isOver.isDone
    }

    private func append(_ events: [QueuedEvent]) throws {
        let calls = events.map { TrackedCall([$0], claiming: $0.claim) }
        let rows = try appendRows(of: calls, areReported: true)
        let didJournal = didJournal.withLock { $0 }
        var journaled: [(serial: Int, id: Int64)] = []
        var rowCount = 0
        for (index, call) in calls.enumerated() {
            let ids = rows.ids(of: call, at: index, behind: rowCount)
            rowCount += call.rowCount
            journaled.append((events[index].serial, ids?[0] ?? 0))
            if let claim = call.claim, let row = ids?.claim { didJournal?(claim, row) }
        }
        handle(.journaled(journaled))
    }

    /// Makes the last attempt at the end, or waits for the one that is under way, until `deadline`.
    func finishAppending(until deadline: Duration) async {
        guard journal != nil else { return }
        try? await withDeadline(deadline - time.now, by: time) { [self] in
            let task = await withCheckedContinuation { continuation in
                // A call that appends holds the lock, and the journal may block it.
                DispatchQueue.global().async {
                    continuation.resume(returning: self.appending.withLock { $0.catchingUp })
                }
            }
            if task == nil, machine.withLock({ $0.state.unjournaled(1).isEmpty }) { return }
            task?.cancel()
            await task?.value
            await catchUp()
        }
    }

    /// Hands the state events that the journal holds after `id`.
    func readJournal(after id: Int64, limit: Int) async {
        guard let journal else { return }
        do {
            let found = try await journalReads.run(within: journalTimeout, by: time) {
                try await journal.events(after: id, limit: limit)
            }
            log.clear(.journalRead)
            let portion = JournalPortion(found)
            // They are the records' of visitors, if there is a store for those.
            if !keepsClaims, !portion.claims.isEmpty { removal?.remove(portion.claims.map(\.id)) }
            handle(
                .read(
                    portion.events, unreadable: portion.unreadable, through: found.last?.id ?? 0,
                    isEnd: found.count < limit))
        } catch {
            log.once(.journalRead, "the event journal cannot be read (\(type(of: error))); it is tried again.")
            handle(.readFailed)
        }
    }
}

/// What the journal took is still waiting for it.
private struct JournalFault: Error {}
