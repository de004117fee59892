import ConvertLedgers
import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Testing

@testable import ConvertSwiftSDK

/// Waiting until what a context did is stored.
@Suite(.timeLimit(.minutes(10)))
struct PersistingTests {
    private let ledger = ScriptedLedger()
    private let clock = StepClock()

    private func sdk(_ change: (inout SDKConfiguration) -> Void = { _ in }) throws -> ConvertSDK {
        try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) {
            $0.ledger = ledger
            change(&$0)
        }
    }

    @Test func persistingEndsOnceTheLedgerHasEveryChange() async throws {
        let commits = ledger.hold(.commit)
        let sdk = try sdk()
        let context = await sdk.loadContext(visitorID: "v1")
        context.decide("all")
        context.trackConversion("purchase")
        let isOver = Latch()
        let waiting = Task { [disk = ledger.disk] in
            try await context.persisted()
            isOver.open()
            return (try await disk.record("v1"), try await disk.events)
        }
        #expect(await eventually { ledger.count(.commit) == 1 })
        for _ in 0..<100 { await Task.yield() }
        #expect(!isOver.isOpen)
        commits.open()
        let (record, events) = try await waiting.value
        #expect(record?.goals == ["purchase": true] && record?.bucketing?["90"] != nil && events.count == 2)
    }

    @Test func nothingIsHeldUpMeanwhile() async throws {
        let commits = ledger.hold(.commit)
        let sdk = try sdk()
        let context = await sdk.loadContext(visitorID: "v1")
        context.trackConversion("purchase")
        async let waiting: Void = context.persisted()
        #expect(await eventually { ledger.count(.commit) == 1 })
        for number in 0..<1000 {
            #expect(context.trackConversion("purchase", options: NumberedConversion.options(number)) != .refused)
            #expect(sdk.createContext(visitorID: "w\(number)").decide("all").variation != nil)
        }
        commits.open()
        try await waiting
        try await context.persisted()
        #expect(try await ledger.disk.events.count { $0.id.number > 0 } >= 1000)
    }

    @Test func aLedgerThatFailsIsNamedAsTheReasonAndTheEntryIsStoredLater() async throws {
        ledger.fail([.commit], with: LedgerError.isFull)
        let sdk = try sdk()
        let context = await sdk.loadContext(visitorID: "v1")
        #expect(context.trackConversion("purchase") == .triggered)
        let ticking = clock.tick(by: .milliseconds(50))
        defer { ticking.cancel() }
        let error = await #expect(throws: ConvertError.self) { try await context.persisted(within: .seconds(3)) }
        #expect(error?.code == .notStored)
        #expect(error?.message.contains("no room for more undelivered events") == true, "\(error?.message ?? "")")
        ledger.heal()
        try await context.persisted(within: .seconds(1000))
        #expect(try await ledger.disk.record("v1")?.goals == ["purchase": true])
    }

    @Test func aTaskThatIsCancelledWaitsNoLonger() async throws {
        let commits = ledger.hold(.commit)
        let context = await (try sdk()).loadContext(visitorID: "v1")
        context.trackConversion("purchase")
        let waiting = Task { () -> ConvertError.Code? in
            do throws(ConvertError) { try await context.persisted() } catch { return error.code }
            return nil
        }
        #expect(await eventually { ledger.count(.commit) == 1 })
        waiting.cancel()
        #expect(await waiting.value == .notStored)
        commits.open()
    }

    @Test func withoutALedgerOrAnythingToStoreItEndsAtOnce() async throws {
        let context = try Fixture.sdk().createContext(visitorID: "v1")
        context.decide("all")
        try await context.persisted(within: .zero)
        ledger.fail([.commit])
        let idle = await (try sdk()).loadContext(visitorID: "v1")
        try await idle.persisted(within: .zero)
    }

    @Test func anotherContextsEntriesAreNotWaitedFor() async throws {
        let sdk = try sdk()
        let (first, second) = (await sdk.loadContext(visitorID: "v1"), await sdk.loadContext(visitorID: "v2"))
        first.decide("all")
        try await first.persisted()
        let commits = ledger.hold(.commit)
        second.decide("all")
        #expect(await eventually { ledger.count(.commit) == 2 })
        try await first.persisted(within: .zero)
        commits.open()
    }

    @Test func aDecisionThatIsWaitedForIsTheOneThatHolds() async throws {
        let context = await (try sdk()).loadContext(visitorID: "v1")
        let other = try Fixture.variationID(of: "v1") == "900" ? "901" : "900"
        try await ledger.disk.put(#"{"bucketing":{"90":"\#(other)"}}"#, of: "v1")
        let decision = try await context.decide("all", persistedWithin: .seconds(5))
        #expect(decision.variation?.variationID == other && decision.variation?.source == .stored)
        #expect(context.engine.delivery.counts.accepted == 1, "to answer is no second exposure")
    }

    @Test func aDecisionWithoutAnExposureIsWaitedForToo() async throws {
        let context = await (try sdk()).loadContext(visitorID: "v1")
        let decision = try await context.decide("all", exposure: false, persistedWithin: .seconds(5))
        #expect(decision.variation != nil && ledger.offers.isEmpty)
        #expect(try await context.decide("nope", persistedWithin: .seconds(5)).reason == .unknownExperience)
    }

    @Test func aConversionThatIsWaitedForIsStored() async throws {
        let context = await (try sdk()).loadContext(visitorID: "v1")
        #expect(try await context.trackConversion("purchase", persistedWithin: .seconds(5)) == .triggered)
        #expect(try await ledger.disk.record("v1")?.goals == ["purchase": true])
        #expect(try await context.trackConversion("purchase", persistedWithin: .seconds(5)) == .alreadyTriggered)
    }

    @Test func aConversionThatWaitsForTheRecordIsWaitedForWithIt() async throws {
        let loads = ledger.hold(.visitor)
        let context = try sdk().createContext(visitorID: "v1")
        let waiting = Task { try await context.trackConversion("purchase", persistedWithin: .seconds(5)) }
        #expect(await eventually { ledger.count(.visitor) == 1 })
        loads.open()
        // Deferred if the record was still being loaded when it was tracked, which a busy machine decides.
        let outcome = try await waiting.value
        #expect(outcome == .deferred || outcome == .triggered)
        #expect(try await ledger.disk.record("v1")?.goals == ["purchase": true])
    }

    /// It goes out from memory, but what it changes finds no room.
    @Test func aCallBeyondTheQueueIsNotReportedAsStored() async throws {
        ledger.fail([.commit])
        let sdk = try sdk {
            $0.queueCapacity = 1
            $0.ledgerPatience = .seconds(1)
        }
        let (first, second) = (await sdk.loadContext(visitorID: "v1"), await sdk.loadContext(visitorID: "v2"))
        first.trackConversion("purchase")
        #expect(second.trackConversion("purchase") == .refused)
        try await second.persisted(within: .zero)
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(100))
                return second.trackConversion("purchase") == .triggered
            })
        let error = await #expect(throws: ConvertError.self) { try await second.persisted(within: .zero) }
        #expect(error?.code == .refused && sdk.ledgerStatus?.lostEntries == 1)
    }
}
