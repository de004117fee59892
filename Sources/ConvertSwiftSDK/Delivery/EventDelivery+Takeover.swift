import ConvertConcurrency

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Events of machines that have ended, which another one delivers that shares their journal.
extension EventDelivery {
    /// As many rows as are taken over at once.
    private static var portion: Int { 500 }

    /// Looks for such events now and then, as long as the delivery is there.
    func beginTakingOver() {
        guard let journal = sharedJournal else { return }
        takingOver.withLock { task in
            task = Task { [weak self, time] in
                while (try? await time.sleep(until: time.now + journal.takeoverInterval)) != nil {
                    guard let self else { return }
                    await takeOver(from: journal)
                }
            }
        }
    }

    private func takeOver(from journal: any SharedEventJournal) async {
        let takeClaims = keepsClaims ? didTakeOver.withLock { $0 } : nil
        var hasRoom = takeClaims?([]) ?? true
        while !Task.isCancelled, hasRoom {
            let room = machine.withLock { $0.state.takeoverRoom }
            guard room > 0 else { return }
            do {
                let rows = try await takeovers.run(within: journalTimeout, by: time) {
                    try await journal.takeOver(min(room, Self.portion))
                }
                if rows.isEmpty { return }
                let portion = JournalPortion(rows)
                if !portion.unreadable.isEmpty { removal?.remove(portion.unreadable) }
                handle(.takenOver(portion.events, unreadable: portion.unreadable.count))
                if let takeClaims {
                    hasRoom = takeClaims(portion.claims)
                } else if !portion.claims.isEmpty {
                    removal?.remove(portion.claims.map(\.id))
                }
            } catch {
                log.once(.journalRead, "the event journal cannot be read (\(type(of: error))); it is tried again.")
                return
            }
        }
    }
}

extension DeliveryState {
    /// How many events may be taken over now. What this process tracked comes first.
    var takeoverRoom: Int { isStopped || stored > 0 || !tail.isEmpty ? 0 : max(0, window / 2 - inMemory) }

    /// Takes events over that another process left, beside those that the journal is read for.
    mutating func takeOver(_ events: [QueuedEvent], unreadable: Int, _ actions: inout [Action]) {
        tally.restored += events.count + unreadable
        count(entered: events.count + unreadable, left: unreadable)
        if unreadable > 0 {
            tally.reject(unreadable, .unreadable)
            actions.append(.report(count: unreadable, .unreadable))
        }
        for event in events { enqueueRead(event) }
        postpone()
    }
}
