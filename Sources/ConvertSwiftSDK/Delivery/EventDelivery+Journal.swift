import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import ConvertConcurrency

/// The journal's part of the delivery: appending what is tracked, and reading what is stored.
///
/// A journal that fails, as one whose file another process has locked, is not asked by every call, each of which would wait
/// for it: after a failure events go to memory, and one attempt at a time, on a thread of its own, appends those that
/// wait there. Once it has caught up, calls append again.
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

    /// What the journal took: the row of a claim, if there was one.
    private struct Receipt {
        let claim: Int64?
    }

    /// A foreign lock is over soon, and a full disk is not worth more.
    private static var backoff: Backoff { Backoff(first: .milliseconds(200), longest: .seconds(10)) }

    /// So many events are caught up with at once.
    private static var portion: Int { 500 }

    /// A journal is an app's own code; one that never answers must not hold up a flush.
    private var journalTimeout: Duration { endpoint.timeout + .seconds(5) }

    /// Takes the events of one call, in order, and what it claims of the visitor's record. It returns at once, or with a
    /// journal as soon as all of it is safe there, in one step.
    ///
    /// What becomes of events is told on another thread: callers hold locks that a subscriber may want.
    /// - Returns: the row of the claim in the journal, if it is there.
    func track(_ events: [QueuedEvent], claiming claim: KeyedClaim? = nil) -> Int64? {
        defer { tellLater() }
        guard let journal, !machine.withLock({ $0.state.isStopped }) else {
            for event in events { handle(.accepted(event)) }
            return nil
        }
        return appending.withLock { appending in
            if !appending.isFailing, let receipt = append(events, claim, to: journal, &appending) {
                return receipt.claim
            }
            for (index, event) in events.enumerated() {
                var event = event
                if index == events.count - 1 { event.claim = claim }
                handle(.accepted(event))
            }
            if appending.catchingUp == nil { beginCatchingUp(&appending) }
            return nil
        }
    }

    /// Returns what the journal took; `nil` if that is nothing.
    private func append(
        _ events: [QueuedEvent], _ claim: KeyedClaim?, to journal: any EventJournal, _ appending: inout Appending
    ) -> Receipt? {
        let claimed = claim.flatMap { $0.claim.record(for: $0.key) }
        let rows = events.map { JournalRow.bytes(of: $0.record) } + (claimed.map { [JournalRow.bytes(of: $0)] } ?? [])
        do {
            let ids = try journal.append(rows)
            for (index, event) in events.enumerated() {
                var event = event
                event.journalID = index < ids.count ? ids[index] : nil
                handle(.accepted(event, following: events.count - 1 - index))
            }
            return Receipt(claim: claimed != nil && ids.count == rows.count ? ids.last : nil)
        } catch {
            appending.isFailing = true
            didFail(error, &appending)
            return nil
        }
    }

    private func didFail(_ error: any Error, _ appending: inout Appending) {
        log.once(
            .journalAppend,
            "the event journal takes no events (\(type(of: error))); they are kept in memory until it does.")
        appending.hasRecovered = false
        appending.failures += 1
        beginCatchingUp(&appending)
    }

    private func beginCatchingUp(_ appending: inout Appending) {
        // The end makes an attempt of its own.
        if machine.withLock({ $0.state.isStopped }) { return }
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
        guard let journal else { return }
        var last: Int?
        while true {
            let events = machine.withLock { $0.state.unjournaled(Self.portion) }
            guard let first = events.first?.serial else {
                if hasCaughtUp() { return }
                continue
            }
            do {
                // A journal whose ids cannot be used is not offered the same events for ever.
                if first == last { throw JournalFault() }
                last = first
                try append(events, to: journal)
                appending.withLock { $0.hasRecovered = true }
            } catch {
                appending.withLock { didFail(error, &$0) }
                return
            }
        }
    }

    /// Lets calls append again, if nothing waits for the journal and it has taken something. Returns whether nothing waits.
    private func hasCaughtUp() -> Bool {
        let isOver = appending.withLock { appending -> (isDone: Bool, isWell: Bool) in
            // Calls that find the journal failing put their events into memory under this lock.
            guard machine.withLock({ $0.state.unjournaled(1).isEmpty }) else { return (false, false) }
            appending.catchingUp = nil
            if appending.hasRecovered { (appending.isFailing, appending.failures) = (false, 0) }
            return (true, appending.hasRecovered)
        }
        if isOver.isWell { log.clear(.journalAppend) }
        return isOver.isDone
    }

    private func append(_ events: [QueuedEvent], to journal: any EventJournal) throws {
        var rows: [Data] = []
        for event in events {
            rows.append(JournalRow.bytes(of: event.record))
            if let claim = event.claim, let record = claim.claim.record(for: claim.key) {
                rows.append(JournalRow.bytes(of: record))
            }
        }
        var ids = try journal.append(rows)[...]
        guard ids.count == rows.count else { throw JournalFault() }
        var journaled: [(serial: Int, id: Int64)] = []
        let didJournal = didJournal.withLock { $0 }
        for event in events {
            if let id = ids.popFirst() { journaled.append((event.serial, id)) }
            if let claim = event.claim, claim.claim.record(for: claim.key) != nil, let row = ids.popFirst() {
                didJournal?(row, claim.key)
            }
        }
        handle(.journaled(journaled))
    }

    /// Makes the last attempt at the end, or waits for the one that is under way, until `deadline`.
    func finishAppending(until deadline: Duration) async {
        guard let task = appending.withLock({ $0.catchingUp }) else { return }
        task.cancel()
        try? await withDeadline(deadline - time.now, by: time) { [self] in
            await task.value
            await catchUp()
        }
    }

    /// Hands the state events that the journal holds after `id`.
    func readJournal(after id: Int64, limit: Int) async {
        guard let journal else { return }
        do {
            let found = try await withDeadline(journalTimeout, by: time) {
                try await journal.events(after: id, limit: limit)
            }
            log.clear(.journalRead)
            var events: [QueuedEvent] = []
            var unreadable: [Int64] = []
            for entry in found {
                switch JournalRow(entry) {
                case .event(let event): events.append(event)
                case .claim: break
                case .unreadable: unreadable.append(entry.id)
                }
            }
            handle(.read(events, unreadable: unreadable, through: found.last?.id ?? 0, isEnd: found.count < limit))
        } catch {
            log.once(.journalRead, "the event journal cannot be read (\(type(of: error))); it is tried again.")
            handle(.readFailed)
        }
    }
}

/// The journal did not give as many ids as it was given rows.
private struct JournalFault: Error {}
