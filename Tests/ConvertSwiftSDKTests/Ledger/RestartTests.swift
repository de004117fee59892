import ConvertLedgers
import ConvertConcurrency
import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Testing

@testable import ConvertSwiftSDK

/// What a process that was killed leaves behind. It reaches its ledger no more, and its clock stands still.
@Suite(.timeLimit(.minutes(10)))
struct RestartTests {
    private let disk = MemoryLedger()
    private let transport = ScriptedTransport(status: 200)

    private final class Process: Sendable {
        let ledger: ScriptedLedger
        let sdk: ConvertSDK

        init(_ disk: MemoryLedger, _ transport: ScriptedTransport, _ change: (inout SDKConfiguration) -> Void) throws {
            let ledger = ScriptedLedger(disk)
            self.ledger = ledger
            sdk = try Fixture.sdk(transport: transport) {
                $0.ledger = ledger
                $0.batchSize = 1000
                change(&$0)
            }
        }

        func kill() { ledger.fail() }

        func context(_ visitor: String = "v1") async -> ConvertContext { await sdk.loadContext(visitorID: visitor) }
    }

    private func process(_ change: (inout SDKConfiguration) -> Void = { _ in }) throws -> Process {
        try Process(disk, transport, change)
    }

    private func forced(_ id: String, isTracked: Bool = true) -> DecisionOptions {
        .with {
            $0.forcedVariationID = id
            $0.isTrackingEnabled = isTracked
        }
    }

    @Test func awaitedChangesAreStoredAndSentOnce() async throws {
        let killed = try process()
        for number in 0..<20 {
            let context = await killed.context("v\(number)")
            // By turns, so that half of them are where the hash does not put them.
            context.decide("all", options: forced(number % 2 == 0 ? "900" : "901"))
            #expect(context.trackConversion("purchase", revenue: 9.9) == .triggered)
            try await context.persisted()
        }
        killed.kill()
        let next = try process()
        for number in 0..<20 {
            let context = await next.context("v\(number)")
            #expect(context.decide("all").variation?.variationID == (number % 2 == 0 ? "900" : "901"))
            #expect(context.decide("all").variation?.source == .stored)
            #expect(context.trackConversion("purchase", revenue: 9.9) == .alreadyTriggered)
        }
        #expect(next.sdk.deliveryCounts.accepted == 0)
        let report = await next.sdk.shutdown(deadline: .seconds(10))
        #expect(report.isComplete && report.events.restored == 60 && transport.events.count == 60)
        #expect(await disk.eventCount == 0)
    }

    @Test func changesThatTheLedgerDidNotGetAreLost() async throws {
        let killed = try process()
        let context = await killed.context()
        let decided = context.decide("all").variation?.variationID
        try await context.persisted()
        killed.kill()
        #expect(context.trackConversion("purchase") == .triggered)
        context.setDefaultSegments(["country": "US"])
        let next = try process()
        let later = await next.context()
        #expect(later.visitorData.goals == nil && later.visitorData.segments == nil)
        #expect(later.decide("all").variation?.variationID == decided)
        #expect(later.trackConversion("purchase") == .triggered)
        #expect(await next.sdk.flush().delivered == 2)
    }

    @Test func deliveredEventsAreNotSentAgain() async throws {
        let killed = try process()
        let context = await killed.context()
        context.trackConversion("purchase")
        #expect(await killed.sdk.flush().delivered == 1)
        #expect(await eventually { await disk.eventCount == 0 })
        killed.kill()
        let next = try process()
        await next.sdk.flush()
        #expect(next.sdk.deliveryCounts == DeliveryCounts() && transport.events.count == 1)
        #expect(await next.context().trackConversion("purchase") == .alreadyTriggered)
    }

    @Test func aDecisionMadeBeforeTheRecordWasThereGivesWayToAStoredOne() async throws {
        let arm = try Fixture.variationID(of: "v1")
        let other = arm == "900" ? "901" : "900"
        try await disk.put(#"{"bucketing":{"90":"\#(other)"}}"#, of: "v1")
        let killed = try process()
        let loads = killed.ledger.hold(.visitor)
        let early = killed.sdk.createContext(visitorID: "v1")
        #expect(early.decide("all").variation?.variationID == arm)
        loads.open()
        try await early.persisted()
        killed.kill()
        #expect(await (try process()).context().decide("all").variation?.variationID == other)
        #expect(await disk.eventCount == 0, "nothing is reported of it")
    }

    @Test func aDecisionThatReplacedAStoredOneReplacesItAfterARestartToo() async throws {
        try await disk.put(#"{"bucketing":{"90":"900"}}"#, of: "v1")
        let killed = try process()
        let context = await killed.context()
        context.decide("all", options: forced("901"))
        try await context.persisted()
        killed.kill()
        #expect(await (try process()).context().decide("all").variation?.variationID == "901")
    }

    @Test(arguments: [[true], [false], [true, false, true], [true, false], [false, true]])
    func theLastOfSeveralDecisionsHoldsWhetherItWasReportedOrNot(areTracked: [Bool]) async throws {
        let killed = try process()
        let context = await killed.context()
        let arm = try Fixture.variationID(of: "v1") ?? ""
        var id = arm
        for isTracked in areTracked {
            id = id == "900" ? "901" : "900"
            context.decide("all", options: forced(id, isTracked: isTracked))
        }
        try await context.persisted()
        killed.kill()
        #expect(await (try process()).context().decide("all").variation?.variationID == id)
        #expect(await disk.eventCount == areTracked.count { $0 })
    }

    @Test func aDecisionThatIsNotStoredIsOnlyReported() async throws {
        let killed = try process()
        let context = await killed.context()
        context.decide("all", options: .with { $0.isStorageEnabled = false })
        context.setPreview(experienceID: "90", variationID: "900")
        context.trackConversion("purchase")
        try await context.persisted()
        #expect(try await disk.record("v1") == nil)
        #expect(await disk.eventCount == 1)
    }

    @Test func eventsTrackedWithTrackingOffAreSentByALaterProcess() async throws {
        let killed = try process { $0.isTrackingEnabled = false }
        let context = await killed.context()
        context.trackConversion("purchase")
        try await context.persisted()
        await killed.sdk.flush()
        killed.kill()
        #expect(transport.requests.isEmpty)
        let next = try process()
        #expect(await eventually { next.sdk.deliveryCounts.restored == 1 })
        #expect(await next.sdk.flush().delivered == 1)
    }
}
