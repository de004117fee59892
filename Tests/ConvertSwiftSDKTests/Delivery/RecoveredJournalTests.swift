import ConvertConcurrency
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Journals that failed and are well again, or that do not come back.
@Suite(.timeLimit(.minutes(10)))
struct RecoveredJournalTests {
    private let journal = ListJournal()

    private func waitUntilRead(_ sdk: ConvertSDK) async -> Bool {
        await eventually { !sdk.engine.delivery.machine.withLock { $0.state.position?.isRestoring ?? false } }
    }

    /// The endpoint is down, and the memory has as many events as it takes of those that the journal has.
    @Test(arguments: [SDKConfiguration.QueueOverflow.dropNewest, .dropOldest])
    func anAppendThatFailsDuringAnOutageCostsNothing(overflow: SDKConfiguration.QueueOverflow) async throws {
        let clock = StepClock()
        let sdk = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) {
            $0.journal = journal
            $0.queueCapacity = 10
            $0.queueOverflow = overflow
        }
        #expect(await waitUntilRead(sdk))
        for number in 0..<50 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        #expect(journal.count == 50)
        journal.isFailing = true
        for number in 0..<5 { sdk.createContext(visitorID: "w\(number)").trackConversion("purchase") }
        journal.isFailing = false
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return journal.count == 55 && sdk.engine.delivery.appending.withLock { !$0.isFailing }
            })
        for number in 0..<50 { sdk.createContext(visitorID: "x\(number)").trackConversion("purchase") }
        #expect(journal.count == 105 && sdk.deliveryCounts.rejectedTotal == 0 && sdk.deliveryCounts.queued == 105)
    }

    @Test func aJournalThatIsWellAgainIsUsedThoughNothingWaitsForIt() async throws {
        let clock = StepClock()
        let sdk = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 200)) { $0.journal = journal }
        #expect(await waitUntilRead(sdk))
        journal.isFailing = true
        sdk.createContext(visitorID: "w").trackConversion("purchase")
        await sdk.flush()
        #expect(sdk.deliveryCounts.delivered == 1)
        journal.isFailing = false
        #expect(
            await eventually {
                clock.advance(by: .seconds(10))
                return sdk.engine.delivery.appending.withLock { !$0.isFailing }
            })
        let before = journal.state.withLock { $0.nextID }
        sdk.createContext(visitorID: "x").trackConversion("purchase")
        #expect(journal.state.withLock { $0.nextID } > before)
    }

    /// A journal whose `append` does not return.
    private final class BlockingJournal: EventJournal {
        let isBlocked = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)

        func append(_ records: [Data]) throws -> [Int64] {
            isBlocked.signal()
            gate.wait()
            throw Failure()
        }

        func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] { [] }
        func remove(_ ids: [Int64]) async throws {}
    }

    @Test func aShutdownKeepsItsDeadlineThoughAnAppendBlocks() async throws {
        let (clock, blocking) = (StepClock(), BlockingJournal())
        let sdk = try Fixture.sdk(clock: clock) { $0.journal = blocking }
        let context = sdk.createContext(visitorID: "v")
        async let outcome = aside { context.trackConversion("purchase") }
        try await aside { blocking.isBlocked.wait() }
        let isOver = Latch()
        async let report = {
            let report = await sdk.shutdown(deadline: .seconds(5))
            isOver.open()
            return report
        }()
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(100))
                return isOver.isOpen
            })
        _ = await report
        blocking.gate.signal()
        _ = try await outcome
    }
}
