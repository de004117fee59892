import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Decisions for an experience of three variations, of which the journal has the last one, over the end of a process.
@Suite(.timeLimit(.minutes(10)))
struct ForgottenDecisionTests {
    private let journal = ListJournal()
    private let store = GatedStore()

    private static let threeArms = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
        "experiences": [{"id": "90", "key": "all", "variations": [
        {"id": "900", "key": "a", "traffic_allocation": 34}, {"id": "901", "key": "b", "traffic_allocation": 33},
        {"id": "902", "key": "c", "traffic_allocation": 33}]}]}
        """.utf8)

    private func sdk(
        clock: StepClock = StepClock(), _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> ConvertSDK {
        try Fixture.sdk(
            source: .fixed(ProjectConfig(json: Self.threeArms)), clock: clock,
            transport: ScriptedTransport(status: 500)
        ) {
            $0.journal = journal
            $0.visitorStore = store
            $0.batchSize = 100_000
            change(&$0)
        }
    }

    private func forced(_ id: String, isTracked: Bool = true) -> DecisionOptions {
        .with {
            $0.forcedVariationID = id
            if !isTracked { $0.isTrackingEnabled = false }
        }
    }

    @Test(arguments: [false, true])
    func aReportedDecisionAfterAnUnreportedOneSurvivesAKill(isFirstSaved: Bool) async throws {
        if isFirstSaved {
            var record = VisitorState()
            record.apply(.bucketing(experienceID: "90", variationID: "900"))
            try await store.inner.save(record, for: "10-20-v1")
        }
        let killed = try sdk()
        let context = await killed.loadContext(visitorID: "v1")
        #expect(context.selectVariation("all", options: forced("900"))?.variationID == "900")
        #expect(context.selectVariation("all", options: forced("901", isTracked: false))?.variationID == "901")
        #expect(context.selectVariation("all", options: forced("902"))?.variationID == "902")
        let next = try sdk()
        #expect(await next.loadContext(visitorID: "v1").selectVariation("all")?.variationID == "902")
        withExtendedLifetime(killed) {}
    }

    @Test func anUnreportedDecisionSurvivesAKill() async throws {
        let killed = try sdk()
        let arm = try #require(killed.createContext(visitorID: "v2").selectVariation("all")?.variationID)
        let other = arm == "900" ? "901" : "900"
        let context = await killed.loadContext(visitorID: "v1")
        #expect(context.selectVariation("all", options: forced(other, isTracked: false))?.variationID == other)
        let next = try sdk()
        #expect(await next.loadContext(visitorID: "v1").selectVariation("all")?.variationID == other)
        withExtendedLifetime(killed) {}
    }

    /// The event of the decision between was given up for want of room while the journal failed, and its claim with it.
    @Test func aDecisionAfterOneWhoseEventFoundNoRoomSurvivesAKill() async throws {
        let clock = StepClock()
        let killed = try sdk(clock: clock) {
            $0.queueCapacity = 2
            $0.releaseInterval = .seconds(1_000_000)
        }
        #expect(
            await eventually { !killed.engine.delivery.machine.withLock { $0.state.position?.isRestoring ?? false } })
        let context = await killed.loadContext(visitorID: "v1")
        let other = await killed.loadContext(visitorID: "v2")
        #expect(context.selectVariation("all", options: forced("900"))?.variationID == "900")
        journal.isFailing = true
        #expect(other.trackConversion("purchase") == .triggered)
        #expect(context.selectVariation("all", options: forced("901"))?.variationID == "901")
        journal.isFailing = false
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(100))
                return killed.engine.delivery.appending.withLock { !$0.isFailing }
            })
        #expect(context.selectVariation("all", options: forced("902"))?.variationID == "902")
        let next = try sdk()
        #expect(await next.loadContext(visitorID: "v1").selectVariation("all")?.variationID == "902")
        withExtendedLifetime(killed) {}
    }
}
