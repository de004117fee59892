import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import ConvertConcurrency

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
        guard let journal, !isStopped else {
            for event in events { handle(.accepted(event)) }
            return nil
        }
        let call = TrackedCall(events, claiming: claim)
        if case .isServed(let row) = line.enter(call) { return row }
        let others = line.takeWaiting()
        if others.isEmpty {
            let row = appending.withLock { append(call, to: journal, &$0) }
            line.leave(serving: [], with: EmptyCollection())
            return row
        }
        let rows = appending.withLock { append([call] + others.map(\.call), to: journal, &$0) }
        line.leave(serving: others, with: rows.dropFirst())
        return rows[0]
    }

    /// Appends `call`, or keeps it in memory, and returns the row of its claim.
    private func append(_ call: TrackedCall, to journal: any EventJournal, _ appending: inout Appending) -> Int64? {
        if !appending.isFailing {
            do {
                let ids = try ids(appending: call, to: journal)
                didAppend(&appending)
                var following = ids == nil ? 0 : call.events.count
                return accept(call, under: ids, &following)
            } catch {
                didFail(error, &appending)
            }
        }
        keep([call], &appending)
        return nil
    }

    /// Appends all of `calls`, or keeps them in memory, and returns the rows of their claims.
    private func append(
        _ calls: [TrackedCall], to journal: any EventJournal, _ appending: inout Appending
    ) -> [Int64?] {
        if !appending.isFailing {
            do {
                let ids = try ids(appending: calls, to: journal)
                didAppend(&appending)
                return accept(calls, under: ids)
            } catch {
                didFail(error, &appending)
            }
        }
        keep(calls, &appending)
        return calls.map { _ in nil }
    }

    private func keep(_ calls: [TrackedCall], _ appending: inout Appending) {
        for call in calls {
            for (index, event) in call.events.enumerated() {
                var event = event
                if index == call.events.count - 1 { event.claim = call.claim }
                handle(.accepted(event))
            }
        }
        if appending.catchingUp == nil { beginCatchingUp(&appending) }
    }

    /// The ids of the call's rows; `nil` if its goals were counted elsewhere, and nothing is appended.
    private func ids(appending call: TrackedCall, to journal: any EventJournal) throws -> [Int64]? {
        if let writingJournal {
            let first = try writingJournal.append(call.rowCount) { call.write(row: $0, to: &$1) }
            return Array(first..<first + Int64(call.rowCount))
        }
        guard let sharedJournal else { return Self.ids(try journal.append(call.rows), for: call.rowCount) }
        return try sharedJournal.append([JournalCall(call, isReported: false)]).first ?? nil
    }

    /// As ``ids(appending:to:)``, of several calls in one step.
    ///
    /// - Parameter areReported: whether they are appended in any case.
    private func ids(
        appending calls: [TrackedCall], to journal: any EventJournal, areReported: Bool = false
    ) throws -> [[Int64]?] {
        if let sharedJournal {
            return try sharedJournal.append(calls.map { JournalCall($0, isReported: areReported) })
        }
        let rows = calls.flatMap(\.rows)
        var rest = Self.ids(try journal.append(rows), for: rows.count)[...]
        return calls.map { call in
            defer { rest = rest.dropFirst(call.rowCount) }
            return Array(rest.prefix(call.rowCount))
        }
    }

    private func accept(_ calls: [TrackedCall], under ids: [[Int64]?]) -> [Int64?] {
        var following = 0
        for index in calls.indices where ids[index] != nil { following += calls[index].events.count }
        var rows: [Int64?] = []
        rows.reserveCapacity(calls.count)
        for index in calls.indices { rows.append(accept(calls[index], under: ids[index], &following)) }
        return rows
    }

    /// - Parameter following: how many events come with them and are not accepted yet.
    private func accept(_ call: TrackedCall, under ids: [Int64]?, _ following: inout Int) -> Int64? {
        guard let ids, ids.count == call.rowCount else {
            handle(.refused(call.events.count, .countedElsewhere))
            return nil
        }
        for index in call.events.indices {
            following -= 1
            var event = call.events[index]
            event.journalID = ids[index]
            handle(.accepted(event, following: following))
        }
        guard call.rowCount > call.events.count, let row = ids.last, row > 0 else { return nil }
        return row
    }

    /// One id for each row; ones that no journal may give if it did not give as many.
    private static func ids(_ ids: [Int64], for rowCount: Int) -> [Int64] {
        ids.count == rowCount ? ids : Array(repeating: 0, count: rowCount)
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
        guard let journal else { return }
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
                try append(events, to: journal)
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
            guard machine.withLock({ $0.state.unjournaled(1).isEmpty }) else { return (false, false) }
            appending.catchingUp = nil
            // Where nothing waits, the next call finds out whether the journal is well.
            appending.isFailing = false
            if appending.hasRecovered { appending.failures = 0 }
            return (true, appending.hasRecovered)
        }
        if isOver.isWell { log.clear(.journalAppend) }
        return isOver.isDone
    }

    private func append(_ events: [QueuedEvent], to journal: any EventJournal) throws {
        let calls = events.map { TrackedCall([$0], claiming: $0.claim) }
        let ids = try ids(appending: calls, to: journal, areReported: true)
        let didJournal = didJournal.withLock { $0 }
        var journaled: [(serial: Int, id: Int64)] = []
        for ((event, call), ids) in zip(zip(events, calls), ids) {
            journaled.append((event.serial, ids?.first ?? 0))
            if let claim = call.claim, let ids, ids.count > 1, ids[1] > 0 { didJournal?(claim, ids[1]) }
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
