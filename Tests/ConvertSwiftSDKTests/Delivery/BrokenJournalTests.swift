import ConvertConcurrency
import ConvertTestSupport
import ConvertECMAScript
import Foundation
import Testing

@testable import ConvertSwiftSDK
@testable import ConvertSwiftSDKCore

/// Journals that break their promises about ids.
struct BrokenJournalTests {
    private func event(_ number: Int, id: Int64?) -> QueuedEvent {
        QueuedEvent(
            destination: TrackingDestination(sdkKey: "key", accountID: "1", projectID: "2"), visitorID: "v",
            segments: nil, payload: .integer(number), journalID: id)
    }

    @Test(arguments: [[7, 7, 7], [9, 8, 7], [0, 0, 0], [-1, -2, -3], [5, 6, 2]] as [[Int64]])
    func eventsUnderIDsThatDoNotGrowAreDeliveredAllTheSame(ids: [Int64]) {
        var simulation = DeliverySimulation(seed: 1, leftBehind: 0)
        simulation.handle(.started)
        simulation.answerRead()
        for (number, id) in ids.enumerated() { simulation.handle(.accepted(event(number, id: id))) }
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == [0, 1, 2])
        #expect(simulation.distrusted > 0 && simulation.sumHolds)
        #expect(simulation.state.counts.queued == 0 && simulation.state.counts.rejectedTotal == 0)
    }

    @Test func idsThatStartAnewBelowRestoredOnesLoseNothing() {
        var simulation = DeliverySimulation(seed: 1, leftBehind: 5)
        simulation.handle(.started)
        simulation.answerRead()
        simulation.handle(.accepted(event(6, id: 1)))
        simulation.handle(.accepted(event(7, id: 2)))
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (1...7).map { .integer($0) })
        #expect(simulation.state.counts.restored == 5 && simulation.sumHolds)
    }

    @Test func rowsOutOfOrderOrTwiceAreTakenOnceInOrder() {
        var simulation = DeliverySimulation(seed: 1, leftBehind: 0)
        simulation.handle(.started)
        simulation.read = nil
        let rows: [Int64] = [5, 3, 5, 4, 3]
        simulation.handle(.read(rows.map { event(Int($0), id: $0) }, unreadable: [], isEnd: true))
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == [3, 4, 5])
        #expect(simulation.distrusted == 1 && simulation.sumHolds)
    }

    @Test func theSameRowsAgainAndAgainAreNotAskedForAgainAndAgain() {
        var policy = DeliveryPolicy()
        policy.readLimit = 3
        policy.batchSize = 3
        var simulation = DeliverySimulation(seed: 1, policy: policy, leftBehind: 0)
        let rows = (1...3).map { event($0, id: Int64($0)) }
        simulation.handle(.started)
        for _ in 0..<1000 {
            if simulation.read != nil {
                simulation.read = nil
                simulation.handle(.read(rows, unreadable: [], isEnd: false))
            } else if simulation.request != nil {
                simulation.answer(.delivered)
            }
        }
        #expect(simulation.readCount == 2, "the next one waits for its time")
        #expect(simulation.arrived.map(\.payload) == [1, 2, 3])
        #expect(simulation.state.wakeTime == policy.backoff.longest)
        simulation.handle(.flush)
        simulation.read = nil
        simulation.handle(.read(rows, unreadable: [], isEnd: false))
        #expect(simulation.flushesEnded == 1 && simulation.readCount == 3)
    }

    @Test func aBrokenJournalIsSaidOnce() async throws {
        final class Stuck: EventJournal {
            let inner = ListJournal()
            func append(_ records: [Data]) throws -> [Int64] { try inner.append(records).map { _ in 1 } }
            func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
                try await inner.events(after: 0, limit: limit)
            }
            func remove(_ ids: [Int64]) async throws {}
        }
        let (logger, transport) = (RecordingLogger(), ScriptedTransport(status: 200))
        let sdk = try Fixture.sdk(transport: transport) {
            $0.journal = Stuck()
            $0.logger = logger
        }
        await sdk.flush()
        for number in 0..<30 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        for _ in 0..<3 { await sdk.flush() }
        #expect(sdk.deliveryCounts.delivered == 30 && sdk.deliveryCounts.isComplete)
        #expect(Set(transport.events.map(\.visitor)).count == 30)
        #expect(logger.warnings.count { $0.contains("ids that do not grow") } == 1)
    }

    @Test(arguments: [[], [1, 2], [0]] as [[Int64]])
    func whatAJournalTookUnderUselessIDsIsNotOfferedAgain(ids: [Int64]) async throws {
        final class Useless: EventJournal {
            let inner = ListJournal()
            let ids: [Int64]
            init(_ ids: [Int64]) { self.ids = ids }
            func append(_ records: [Data]) throws -> [Int64] {
                _ = try inner.append(records)
                return ids
            }
            func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] { [] }
            func remove(_ ids: [Int64]) async throws {}
        }
        let (journal, clock) = (Useless(ids), StepClock())
        let sdk = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) { $0.journal = journal }
        await sdk.flush()
        journal.inner.isFailing = true
        for number in 0..<30 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        journal.inner.isFailing = false
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return sdk.engine.delivery.appending.withLock { !$0.isFailing }
            })
        for number in 0..<30 { sdk.createContext(visitorID: "w\(number)").trackConversion("purchase") }
        for _ in 0..<20 {
            clock.advance(by: .seconds(10))
            await sdk.flush()
        }
        #expect(journal.inner.count == 60 && sdk.deliveryCounts.queued == 60)
    }
}
