import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Visitors who are to be forgotten.
@Suite(.timeLimit(.minutes(10)))
struct ForgettingTests {
    private let ledger = ScriptedLedger()
    private let clock = StepClock()
    private let transport = ScriptedTransport(status: 200)

    /// Keeps lines.
    private final class Sink: DecisionLogSink {
        let text = Shared("")

        func write(_ lines: Data) throws { text.withLock { $0 += String(decoding: lines, as: UTF8.self) } }
    }

    private func sdk(_ change: (inout SDKConfiguration) -> Void = { _ in }) throws -> ConvertSDK {
        try Fixture.sdk(clock: clock, transport: transport) {
            $0.ledger = ledger
            change(&$0)
        }
    }

    private func used(_ visitor: String, _ sdk: ConvertSDK) async throws -> ConvertContext {
        let context = await sdk.loadContext(visitorID: visitor, attributes: ["country": "US"])
        #expect(context.decide("all").variation != nil)
        #expect(context.trackConversion("purchase", revenue: 1) == .triggered)
        return context
    }

    @Test func nothingIsLeftInMemoryLedgerQueueAndWaitingLines() async throws {
        let sink = Sink()
        let sdk = try sdk {
            $0.decisionLog = DecisionLog(sink: sink)
            $0.batchSize = 1000
        }
        // Two ids that Swift calls equal.
        let ids = ["v1", "v2", "é", "e\u{301}"]
        var contexts: [ConvertContext] = []
        for id in ids { contexts.append(try await used(id, sdk)) }
        for context in contexts { try await context.persisted() }
        for id in ["v1", "é"] { try await sdk.forget(visitorID: id) }
        for (id, context) in zip(ids, contexts) {
            let isForgotten = id == "v1" || Array(id.utf8) == Array("é".utf8)
            #expect(context.visitorData.isEmpty == isForgotten)
            #expect((try await ledger.disk.record(id) == nil) == isForgotten)
        }
        await sdk.flush()
        #expect(Set(transport.events.map { Array($0.visitor.utf8) }) == [Array("v2".utf8), Array("e\u{301}".utf8)])
        #expect(sdk.deliveryCounts.rejected == [.forgotten: 6] && sdk.deliveryCounts.isComplete)
        let lines = sink.text.withLock { $0 }
        #expect(lines.contains(#""v2""#) && !lines.contains(#""v1""#))
        let log = sdk.decisionLogCounts
        #expect(log.waiting == 0 && log.written + log.lost == 2)
        #expect(await eventually { await ledger.disk.eventCount == 0 })
        #expect(contexts[0].trackConversion("purchase") == .triggered, "as a new visitor's")
    }

    @Test func eventsThatOnlyTheLedgerHasCountAsForgottenToo() async throws {
        let refusing = ScriptedTransport(status: 500)
        let sdk = try Fixture.sdk(clock: clock, transport: refusing) {
            $0.ledger = ledger
            $0.queueCapacity = 10
        }
        let context = await sdk.loadContext(visitorID: "v1")
        for number in 0..<40 {
            context.trackConversion("purchase", options: NumberedConversion.options(number))
            try await context.persisted()
        }
        #expect(await ledger.disk.eventCount == 41)
        try await sdk.forget(visitorID: "v1")
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return sdk.deliveryCounts.queued == 0
            })
        #expect(sdk.deliveryCounts.rejected == [.forgotten: 41] && sdk.deliveryCounts.isComplete)
    }

    @Test func withoutALedgerMemoryAndQueueForget() async throws {
        let sdk = try Fixture.sdk(transport: transport)
        let context = try await used("v1", sdk)
        try await sdk.forget(visitorID: "v1")
        try await sdk.forget(visitorID: "unknown")
        #expect(context.visitorData.isEmpty)
        #expect(await sdk.flush().rejected == [.forgotten: 3] && transport.requests.isEmpty)
        #expect(context.trackConversion("purchase") == .triggered)
    }

    @Test func withoutAConfigItSaysThatItIsNotReady() async throws {
        let sdk = Fixture.fetchingSDK(transport: ScriptedTransport(status: 500))
        let error = await #expect(throws: ConvertError.self) { try await sdk.forget(visitorID: "v1") }
        #expect(error?.code == .notReady)
    }

    /// What waits for the ledger is given up at once, or it would be sent once the ledger has failed for long.
    @Test func whileTheLedgerFailsNothingIsSentAndItIsDoneLater() async throws {
        let sdk = try sdk { $0.ledgerPatience = .seconds(30) }
        try await used("v1", sdk).persisted()
        await sdk.flush()
        let sent = transport.events.count
        ledger.fail()
        let context = await sdk.loadContext(visitorID: "v1")
        context.setDefaultSegments(["country": "DE"])
        context.trackConversion("big", ruleData: ["size": "big"])
        _ = try await used("v2", sdk)
        let ticking = clock.tick(by: .milliseconds(100))
        let error = await #expect(throws: ConvertError.self) {
            try await sdk.forget(visitorID: "v1", timeout: .seconds(5))
        }
        #expect(error?.code == .notStored && error?.message.contains("Failure") == true)
        #expect(context.visitorData.isEmpty)
        #expect(await eventually { clock.now > .seconds(60) && transport.events.count == sent + 3 })
        #expect(transport.events.suffix(3).allSatisfy { $0.visitor == "v2" })
        #expect(sdk.deliveryCounts.rejected == [.forgotten: 1] && sdk.deliveryCounts.isComplete)
        ledger.heal()
        #expect(await eventually { sdk.ledgerStatus?.waitingEntries == 0 })
        #expect(await eventually { (try? await ledger.disk.record("v1")) == nil })
        #expect(try await ledger.disk.record("v2")?.goals == ["purchase": true])
        ticking.cancel()
    }

    @Test(arguments: [false, true])
    func callsWhileTheLedgerForgetsCountForANewVisitor(isBeingStored: Bool) async throws {
        let sdk = try sdk { $0.batchSize = 1000 }
        let context = try await used("v1", sdk)
        try await context.persisted()
        let gate = ledger.hold(isBeingStored ? .commit : .forget)
        if isBeingStored {
            let count = ledger.count(.commit)
            context.trackConversion("big", ruleData: ["size": "big"])
            #expect(await eventually { ledger.count(.commit) == count + 1 })
        }
        async let forgotten: Void = sdk.forget(visitorID: "v1")
        #expect(await eventually { context.visitorData.isEmpty })
        #expect(context.trackConversion("purchase") == .triggered)
        gate.open()
        try await forgotten
        try await context.persisted()
        #expect(context.visitorData.goals == ["purchase": true] && context.visitorData.bucketing == nil)
        #expect(try await ledger.disk.record("v1") == context.visitorData)
        #expect(await sdk.flush().delivered == 1)
        #expect(sdk.deliveryCounts.rejected == [.forgotten: isBeingStored ? 4 : 3] && sdk.deliveryCounts.isComplete)
    }
}
