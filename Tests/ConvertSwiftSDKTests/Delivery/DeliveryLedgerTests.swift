import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import Testing

@testable import ConvertSwiftSDK
@testable import ConvertSwiftSDKCore

/// What the delivery takes from a ledger, and leaves to it.
struct DeliveryLedgerTests {
    private func simulation(
        leftBehind: Int = 0, _ change: (inout DeliveryPolicy) -> Void = { $0.capacity = 10 }
    ) -> DeliverySimulation {
        var policy = DeliveryPolicy()
        change(&policy)
        var simulation = DeliverySimulation(seed: 3, policy: policy, leftBehind: leftBehind, of: 1)
        simulation.start()
        return simulation
    }

    @Test(arguments: [SDKConfiguration.QueueOverflow.dropNewest, .dropOldest])
    func eventsInTheLedgerAreNotGivenUpForLackOfRoom(overflow: SDKConfiguration.QueueOverflow) {
        var simulation = simulation {
            $0.capacity = 10
            $0.overflow = overflow
        }
        simulation.answerRead()
        for _ in 0..<40 { simulation.track(visitor: 2) }
        simulation.answer(.failed(status: 500, retryAfter: .seconds(5)))
        simulation.isSlow = true
        for _ in 0..<20 { simulation.track(visitor: 2) }
        simulation.release()
        let lost = simulation.state.counts.rejectedTotal
        #expect(lost == 15, "half of the memory is for what goes out without the ledger")
        simulation.isSlow = false
        for _ in 0..<1000 { simulation.track(visitor: 2) }
        #expect(simulation.state.counts.rejectedTotal == lost && simulation.ledger?.count == 1040)
        simulation.settle()
        #expect(simulation.arrived.count == 1045 && simulation.sumHolds)
    }

    @Test func anEventIsSentOnlyOnceTheLedgerHasIt() {
        var simulation = simulation()
        simulation.answerRead()
        simulation.isSlow = true
        for _ in 0..<10 { simulation.track(visitor: 2) }
        simulation.handle(.flush)
        #expect(simulation.request == nil && simulation.state.counts.queued == 10 && !simulation.state.isStored)
        simulation.commit(.max)
        simulation.tell()
        #expect(simulation.request?.count == 5 && simulation.state.isStored)
    }

    @Test func eventsThatOthersReportedAreGivenUpAndCounted() {
        var simulation = simulation()
        simulation.answerRead()
        simulation.isSlow = true
        for _ in 0..<10 { simulation.track(visitor: 2) }
        simulation.countElsewhere(4)
        simulation.settle()
        #expect(simulation.state.counts.rejected == [.countedElsewhere: 4] && simulation.arrived.count == 6)
    }

    @Test func theSameEventsAgainAndAgainAreNotAskedForAgainAndAgain() {
        var simulation = simulation(leftBehind: 3) {
            $0.readLimit = 3
            $0.batchSize = 3
        }
        let events = simulation.ledger?.map(\.event) ?? []
        for _ in 0..<1000 {
            if simulation.read != nil {
                simulation.read = nil
                simulation.handle(.read(events, unreadable: [], isEnd: false))
            } else if simulation.request != nil {
                simulation.answer(.delivered)
            }
        }
        #expect(simulation.readCount == 2, "the next one waits for its time")
        #expect(simulation.arrived.map(\.payload) == [1, 2, 3])
        #expect(simulation.state.wakeTime == simulation.state.policy.backoff.longest)
        simulation.handle(.flush)
        simulation.read = nil
        simulation.handle(.read(events, unreadable: [], isEnd: false))
        #expect(simulation.flushesEnded == 1 && simulation.readCount == 3)
    }

    /// A read may find events that were stored just now, before the state knows that they are stored.
    @Test func aReadThatFindsOnlyNewEventsIsRepeatedOnceTheyAreKnown() {
        var simulation = simulation(leftBehind: 0) { $0.readLimit = 3 }
        simulation.isSlow = true
        for _ in 0..<3 { simulation.track(visitor: 2) }
        simulation.commit(.max)
        simulation.handle(.flush)
        simulation.answerRead()
        #expect(simulation.flushesEnded == 0 && simulation.read == nil)
        simulation.tell()
        #expect(simulation.read != nil, "not after the longest pause")
        simulation.settle()
        #expect(simulation.now < .seconds(5) && simulation.arrived.count == 3)
    }

    @Test func aFlushSendsItsEventsBehindThoseOfAnEarlierProcess() {
        var simulation = simulation(leftBehind: 9)
        for _ in 0..<3 { simulation.track(visitor: 2) }
        simulation.handle(.flush)
        for _ in 0..<100 where simulation.flushesEnded == 0 {
            if simulation.read != nil { simulation.answerRead() } else { simulation.answer(.delivered) }
        }
        #expect(simulation.flushesEnded == 1 && simulation.arrived.count == 12)
    }

    @Test func eventsThatAnotherProcessTookOverAreNotSent() {
        var simulation = simulation()
        simulation.answerRead()
        for _ in 0..<20 { simulation.track(visitor: 2) }
        // The other process took two of five events under way, and five that only the ledger has.
        let taken = simulation.request?.prefix(2).compactMap(\.ledgerID) ?? []
        simulation.handle(.ownerEnded)
        simulation.ledger?.removeAll { taken.contains($0.id) || $0.id.number > 15 }
        simulation.answer(.takenOver(Set(taken)))
        #expect(simulation.state.counts.rejected == [.takenOver: 2] && simulation.sumHolds)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (3...15).map { .integer($0) })
        #expect(simulation.state.counts.rejected == [.takenOver: 7] && simulation.sumHolds)
        #expect(simulation.state.counts.queued == 0 && simulation.state.bytes == 0)
    }

    @Test func eventsThatWereTakenOverAreNotReadAgain() {
        var simulation = simulation(leftBehind: 10) { $0.capacity = 40 }
        // The read fails, and the events are another owner's, which has ended.
        let orphans = simulation.ledger?.map(\.event) ?? []
        simulation.answerRead(fails: true)
        #expect(simulation.state.takeoverRoom == 0, "before all that is this process's own was read")
        simulation.ledger = []
        simulation.pass()
        simulation.answerRead()
        #expect(simulation.state.takeoverRoom >= 10)
        for event in orphans { simulation.ledger?.append((event.ledgerID ?? EventID(owner: 0, number: 0), event)) }
        simulation.padding = 40 << 20
        simulation.handle(.takenOver(orphans, unreadable: []))
        // Too large for the room that is left, so that the ledger is read.
        simulation.track(visitor: 2)
        simulation.settle()
        #expect(simulation.arrived.count == 11 && simulation.state.counts.restored == 10 && simulation.sumHolds)
    }

    private func visitor(_ id: String, upTo number: UInt32) -> ForgottenVisitor {
        ForgottenVisitor(lastID: EventID(owner: 2, number: number)) { $0.visitorID == id }
    }

    @Test func aForgottenVisitorsEventsOfBeforeLeaveTheQueue() {
        var simulation = simulation { $0.batchSize = 100 }
        simulation.answerRead()
        for visitor in [2, 3, 2, 3, 2] { simulation.track(visitor: visitor) }
        simulation.handle(.forgotten(visitor("v2", upTo: 4)))
        #expect(simulation.state.counts.rejected == [.forgotten: 2] && simulation.ledger?.count == 3)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == [2, 4, 5] && simulation.state.bytes == 0)
    }

    @Test(arguments: [false, true]) func theyDoNotComeBackWithARequestThatFails(hasLedger: Bool) {
        var simulation = hasLedger ? simulation() : DeliverySimulation(seed: 3)
        simulation.answerRead()
        for _ in 0..<5 { simulation.track(visitor: 2) }
        simulation.handle(.flush)
        #expect(simulation.request?.count == 5)
        simulation.handle(.forgotten(visitor("v2", upTo: 5)))
        simulation.track(visitor: 2)
        simulation.answer(.failed(status: 500, retryAfter: nil))
        #expect(simulation.state.counts.rejected == [.forgotten: 5] && simulation.sumHolds)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == [6])
    }

    @Test func theyDoNotComeBackFromTheLedger() {
        var simulation = simulation()
        simulation.answerRead()
        for _ in 0..<20 { simulation.track(visitor: 2) }
        simulation.answer(.delivered)
        simulation.look()
        let forgotten = visitor("v2", upTo: 20)
        simulation.handle(.forgotten(forgotten))
        simulation.ledger?.removeAll { $0.id.number > 5 }
        simulation.handle(.ledgerForgot(forgotten))
        simulation.track(visitor: 2)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (1...5).map { .integer($0) } + [21])
        #expect(simulation.state.counts.rejected == [.forgotten: 15] && simulation.sumHolds)
        #expect(simulation.state.forgetting.isEmpty && simulation.state.counts.queued == 0)
    }
}
