import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Conversions of visitors whose record is still being loaded.
@Suite(.timeLimit(.minutes(10)))
struct DeferredConversionTests {
    private let ledger = ScriptedLedger()
    private let loads: Latch
    private let transport = ScriptedTransport(status: 200)

    init() { loads = ledger.hold(.visitor) }

    private func sdk(
        clock: StepClock = StepClock(), _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> ConvertSDK {
        try Fixture.sdk(clock: clock, transport: transport) {
            $0.ledger = ledger
            change(&$0)
        }
    }

    @Test func aGoalInTheLedgerIsNotCountedAgain() async throws {
        for number in 0..<50 { try await ledger.disk.put(#"{"goals":{"purchase":true}}"#, of: "v\(number)") }
        let sdk = try sdk()
        let contexts = (0..<50).map { sdk.createContext(visitorID: "v\($0)") }
        for context in contexts {
            #expect(context.trackConversion("purchase", revenue: 9.9) == .deferred)
            #expect(context.trackConversion("purchase", revenue: 9.9) == .alreadyTriggered)
        }
        #expect(sdk.deliveryCounts.accepted == 0)
        loads.open()
        await sdk.flush()
        #expect(sdk.deliveryCounts == DeliveryCounts() && transport.requests.isEmpty)
        for context in contexts { #expect(context.trackConversion("purchase") == .alreadyTriggered) }
    }

    @Test(arguments: [false, true]) func aGoalThatIsNotThereCountsOnceTheRecordIsThere(isFailing: Bool) async throws {
        let listener = RecordingListener()
        let sdk = try sdk()
        sdk.onEvent { listener.take($0) }
        let contexts = (0..<3).map { _ in sdk.createContext(visitorID: "v1") }
        #expect(contexts[0].trackConversion("purchase", revenue: 1) == .deferred)
        #expect(contexts[1].trackConversion("purchase", options: NumberedConversion.options(2)) == .deferred)
        #expect(contexts[2].trackConversion("purchase", options: NumberedConversion.options(3)) == .deferred)
        #expect(contexts[0].trackConversion("nope") == .unknownGoal)
        #expect(contexts[0].trackConversion("big", ruleData: ["size": "small"]) == .rulesNotMatched)
        if isFailing { ledger.fail([.visitor]) }
        loads.open()
        let counts = await sdk.flush()
        #expect(counts.accepted == 4 && counts.delivered == 4, "the bare one, and the values of each")
        #expect(listener.events.count { $0 == .conversion(visitorID: "v1", goalKey: "purchase") } == 3)
        for context in contexts { #expect(context.trackConversion("purchase") == .alreadyTriggered) }
        #expect(contexts[0].visitorData.goals == ["purchase": true])
    }

    @Test func aDeferredConversionCountsIfAPreviewBeginsAfterIt() async throws {
        let sdk = try sdk()
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.trackConversion("purchase") == .deferred)
        #expect(context.setPreview(parameter: "94.940"))
        loads.open()
        #expect(await sdk.flush().delivered == 1)
        #expect(context.isPreviewing && context.visitorData.goals == ["purchase": true])
    }

    /// The record comes while a decision of its visitor is being stored, so the conversion waits for that as well.
    @Test func aFlushWaitsForAConversionWhoseRecordIsThereDuringACommit() async throws {
        let commits = ledger.hold(.commit)
        let sdk = try sdk()
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.decide("all").variation != nil)
        #expect(await eventually { ledger.count(.commit) == 1 })
        #expect(context.trackConversion("purchase") == .deferred)
        loads.open()
        #expect(await eventually { ledger.doneCount(.visitor) == 1 })
        async let counts = sdk.flush()
        for _ in 0..<100 { await Task.yield() }
        commits.open()
        #expect(await counts.delivered == 2)
    }

    @Test func theEndOfTheSDKDoesNotLoseIt() async throws {
        let clock = StepClock()
        let sdk = try sdk(clock: clock)
        #expect(sdk.createContext(visitorID: "v1").trackConversion("purchase") == .deferred)
        async let report = sdk.shutdown(deadline: .seconds(4))
        // Half of the time is for the load, and then it counts as failed.
        #expect(await eventually { clock.isAwaited(in: .seconds(2)) })
        clock.advance(by: .seconds(2))
        #expect(await report.events.delivered == 1)
        loads.open()
    }

    @Test func conversionsBeyondTheNumberThatMayWaitAreRefused() async throws {
        let sdk = try sdk { $0.queueCapacity = 100 }
        for number in 0..<110 {
            let outcome = sdk.createContext(visitorID: "v\(number)").trackConversion("purchase")
            #expect(outcome == (number < 100 ? .deferred : .refused))
        }
        #expect(sdk.deliveryCounts.rejected == [.overflow: 10], "those of all visitors together")
        loads.open()
        await sdk.flush()
        #expect(sdk.deliveryCounts.delivered == 100 && sdk.deliveryCounts.isComplete)
        #expect(sdk.engine.records.deferrals.count == 0)
    }

    @Test func loadsThatHaveNotBegunAreBoundedToo() async throws {
        let sdk = try sdk { $0.loadLimit = 10 }
        // No task has run yet that calls the ledger.
        let contexts = (0..<100).map { sdk.createContext(visitorID: "v\($0)") }
        let outcomes = contexts.map { $0.trackConversion("purchase") }
        #expect(outcomes.allSatisfy { $0 == .deferred || $0 == .triggered })
        #expect(await eventually { sdk.deliveryCounts.accepted == 90 })
        loads.open()
        #expect(await eventually { sdk.deliveryCounts.accepted == 100 })
    }
}
