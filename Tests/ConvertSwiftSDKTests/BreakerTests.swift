import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import ConvertTransport
import Dispatch
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Attacks on what was taken: stores, journals and values that nobody should have, and processes that end amid them.
@Suite(.timeLimit(.minutes(2)))
struct BreakerTests {
    private let journal = ListJournal()
    private let store = GatedStore()

    private static let threeArms = Data(
        """
        {"account_id": "10", "project": {"id": "20"},
        "goals": [{"id": "4", "key": "purchase"}, {"id": "5", "key": "__proto__"}, {"id": "6", "key": "constructor"}],
        "experiences": [{"id": "90", "key": "all", "variations": [
        {"id": "900", "key": "a", "traffic_allocation": 34}, {"id": "901", "key": "b", "traffic_allocation": 33},
        {"id": "902", "key": "c", "traffic_allocation": 33}]},
        {"id": "__proto__", "key": "proto", "variations": [
        {"id": "toString", "key": "pa", "traffic_allocation": 50}, {"id": "7", "key": "pb", "traffic_allocation": 50}]}]}
        """.utf8)

    private func sdk(
        clock: StepClock = StepClock(), status: Int = 500, _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> ConvertSDK {
        try Fixture.sdk(
            source: .fixed(ProjectConfig(json: Self.threeArms)), clock: clock,
            transport: ScriptedTransport(status: status)
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

    private func balance(_ counts: DeliveryCounts) -> Bool {
        counts.accepted + counts.restored == counts.delivered + counts.queued + counts.rejectedTotal
    }

    // MARK: Decisions over a kill

    /// The journal has the last decision, which was reported; the one between was stored and not reported.
    @Test(arguments: [false, true]) func aReportedDecisionAfterAnUnreportedOneSurvivesAKill(isFirstSaved: Bool) async throws {
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

    // MARK: Journals that fail once

    /// During an outage of the endpoint the memory is full of events that the journal has. Then the journal fails once.
    @Test(arguments: [SDKConfiguration.QueueOverflow.dropNewest, .dropOldest])
    func aJournalThatFailedOnceDuringAnOutageIsUsedAgain(overflow: SDKConfiguration.QueueOverflow) async throws {
        let clock = StepClock()
        let sdk = try sdk(clock: clock) {
            $0.visitorStore = nil
            $0.queueCapacity = 10
            $0.queueOverflow = overflow
        }
        #expect(await eventually { !sdk.engine.delivery.machine.withLock { $0.state.position?.isRestoring ?? false } })
        for number in 0..<50 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        #expect(journal.count == 50 && sdk.deliveryCounts.queued == 50)
        journal.isFailing = true
        sdk.createContext(visitorID: "w").trackConversion("purchase")
        journal.isFailing = false
        for number in 0..<100 {
            for _ in 0..<20 {
                clock.advance(by: .milliseconds(500))
                try await Task.sleep(for: .milliseconds(1))
            }
            sdk.createContext(visitorID: "x\(number)").trackConversion("purchase")
        }
        #expect(sdk.deliveryCounts.rejectedTotal <= 2, "\(sdk.deliveryCounts), \(journal.count) in the journal")
        #expect(journal.count >= 149)
    }

    /// A quiet server: each event is delivered before the next attempt at the journal, which has been well for long.
    @Test func aJournalThatIsWellAgainIsUsedThoughNothingWaitsForIt() async throws {
        let clock = StepClock()
        let status = Mutex(500)
        let sdk = try Fixture.sdk(
            clock: clock, transport: ScriptedTransport { _, _ in HTTPResponse(status: status.withLock { $0 }) }
        ) { $0.journal = journal }
        await sdk.flush()
        journal.isFailing = true
        sdk.createContext(visitorID: "w").trackConversion("purchase")
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return sdk.engine.delivery.appending.withLock { $0.failures } >= 12
            })
        journal.isFailing = false
        status.withLock { $0 = 200 }
        await sdk.flush()
        #expect(await eventually { sdk.deliveryCounts.queued == 0 })
        var count = 0
        for number in 0..<300 {
            let before = journal.state.withLock { $0.nextID }
            sdk.createContext(visitorID: "x\(number)").trackConversion("purchase")
            if journal.state.withLock({ $0.nextID }) > before { count += 1 }
            await sdk.flush()
            clock.advance(by: .seconds(1))
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(count > 250, "of 300 events in five minutes the journal took \(count) as they were tracked")
    }

    /// A journal that tells how many bytes were read from it at once.
    private final class MeteredJournal: EventJournal {
        let inner: ListJournal
        let most = Mutex(0)

        init(_ inner: ListJournal) { self.inner = inner }

        func append(_ records: [Data]) throws -> [Int64] { try inner.append(records) }

        func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
            let page = try await inner.events(after: id, limit: limit)
            most.withLock { $0 = max($0, page.reduce(0) { $0 + $1.record.count }) }
            return page
        }

        func remove(_ ids: [Int64]) async throws { try await inner.remove(ids) }
    }

    @Test func whatIsReadAtOnceIsBoundedInBytes() async throws {
        let value = JSValue.string(String(repeating: "x", count: 100_000))
        let killed = try sdk()
        for number in 0..<300 {
            var options = ConversionOptions()
            options.goalData = [["key": "amount", "value": value]]
            killed.createContext(visitorID: "v\(number)").trackConversion("purchase", options: options)
        }
        await killed.flush()
        let metered = MeteredJournal(journal)
        let next = try sdk {
            $0.journal = metered
            $0.queueByteCapacity = 1 << 20
        }
        #expect(await eventually { next.deliveryCounts.restored > 0 })
        _ = await next.loadContext(visitorID: "v0")
        #expect(metered.most.withLock { $0 } < 4 << 20)
        withExtendedLifetime(killed) {}
    }

    // MARK: Stores that fail for one

    /// A store that cannot save one visitor.
    private struct PatchyStore: VisitorStore {
        let inner: GatedStore
        let broken: String

        func load(_ key: String) async throws -> VisitorState? { try await inner.load(key) }

        func save(_ changes: VisitorState, for key: String) async throws {
            if key == broken { throw Failure() }
            try await inner.save(changes, for: key)
        }
    }

    @Test(arguments: ["nobody", "10-20-v0"])
    func aVisitorWhoCannotBeSavedCostsNobodyElseTheirPlace(broken: String) async throws {
        let clock = StepClock()
        let logger = RecordingLogger()
        let sdk = try sdk(clock: clock) {
            $0.journal = nil
            $0.visitorStore = PatchyStore(inner: store, broken: broken)
            $0.storeQueueCapacity = 100
            $0.logger = logger
        }
        var number = 0
        // Ten visitors a second, in tenths of a second, for five minutes.
        for _ in 0..<3000 {
            #expect(await sdk.loadContext(visitorID: "v\(number)").trackConversion("purchase") == .triggered)
            number += 1
            clock.advance(by: .milliseconds(100))
            if number % 10 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        let lost = sdk.engine.records.state.withLock { $0.lost }
        #expect(lost == 0, "of \(number) visitors, one of whom cannot be saved")
        #expect(!logger.warnings.contains { $0.contains("dropped") })
    }

    // MARK: Ends

    /// A journal whose appends block their thread.
    private final class BlockingJournal: EventJournal {
        let gate = DispatchSemaphore(value: 0)
        let begun = Latch()

        func append(_ records: [Data]) throws -> [Int64] {
            begun.open()
            gate.wait()
            gate.signal()
            throw Failure()
        }

        func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] { [] }
        func remove(_ ids: [Int64]) async throws {}
    }

    @Test func aShutdownKeepsItsDeadlineThoughAnAppendBlocks() async throws {
        let blocking = BlockingJournal()
        let clock = StepClock()
        let sdk = try sdk(clock: clock) { $0.journal = blocking }
        let context = await sdk.loadContext(visitorID: "v1")
        let tracking = Task { try await aside { context.trackConversion("purchase") } }
        #expect(await blocking.begun.wait())
        let isOver = Latch()
        Thread.detachNewThread {
            Task {
                _ = await sdk.shutdown(deadline: .seconds(5))
                isOver.open()
            }
        }
        var steps = 0
        while !isOver.isOpen && steps < 2000 {
            clock.advance(by: .milliseconds(100))
            try await Task.sleep(for: .milliseconds(2))
            steps += 1
        }
        #expect(isOver.isOpen, "200 seconds have passed")
        blocking.gate.signal()
        _ = try await tracking.value
        _ = await isOver.wait()
        #expect(balance(sdk.deliveryCounts))
    }

    @Test func absurdDeadlinesTrapNowhere() async throws {
        for deadline in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(1)] {
            let sdk = try sdk(status: 200) { $0.journal = ListJournal() }
            let context = sdk.createContext(visitorID: "v1")
            await context.waitUntilLoaded(atMost: .seconds(Int64.max))
            context.trackConversion("purchase")
            _ = await sdk.shutdown(deadline: deadline)
            #expect(balance(sdk.deliveryCounts))
        }
        let real = ConvertSDK(
            config: try Fixture.config(), configuration: {
                var configuration = SDKConfiguration()
                configuration.journal = ListJournal()
                configuration.visitorStore = GatedStore()
                configuration.releaseInterval = .seconds(Int64.max)
                configuration.storeLoadTimeout = .seconds(Int64.max)
                configuration.requestTimeout = .seconds(Int64.max)
                configuration.logger = RecordingLogger()
                return configuration
            }(), transport: ScriptedTransport(status: 200))
        #expect(await real.loadContext(visitorID: "v1").trackConversion("purchase") == .triggered)
        #expect(await real.shutdown(deadline: .seconds(Int64.max)).isComplete)
    }

    @Test func aShutdownAmidTrafficWithSlowStoresBalancesAndForgetsNothing() async throws {
        for round in 0..<20 {
            let (clock, journal, store) = (StepClock(), ListJournal(), GatedStore())
            let slow = SlowStore(inner: store, clock: clock, pause: .milliseconds(700))
            let sdk = try sdk(clock: clock, status: round % 2 == 0 ? 200 : 500) {
                $0.journal = journal
                $0.visitorStore = slow
                $0.batchSize = 3
            }
            let outcomes = Mutex<[String: Conversion.Outcome]>([:])
            let traffic = Task {
                try await aside {
                    for number in 0..<200 {
                        let context = sdk.createContext(visitorID: "v\(number)")
                        context.selectVariation("all")
                        let outcome = context.trackConversion("purchase", transactionID: "t\(number)")
                        outcomes.withLock { $0["v\(number)"] = outcome }
                        usleep(100)
                    }
                }
            }
            let ticking = Task {
                while !Task.isCancelled {
                    clock.advance(by: .milliseconds(100))
                    try? await Task.sleep(for: .milliseconds(1))
                }
            }
            try await Task.sleep(for: .milliseconds(round))
            _ = await sdk.shutdown(deadline: .seconds(round % 3 == 0 ? 1 : 100))
            _ = try await traffic.value
            #expect(await eventually { sdk.engine.records.memory.collect { $1.load }.isEmpty })
            #expect(balance(sdk.deliveryCounts), "\(sdk.deliveryCounts)")
            ticking.cancel()
            // What the endpoint did not get is in the journal.
            let counts = sdk.deliveryCounts
            let events = journal.state.withLock { $0.entries.count { !JournalRow.isClaim($0.record) } }
            #expect(counts.queued == events, "round \(round): \(counts), \(events) in the journal")
            // A restart knows every goal that was reported.
            let next = try self.sdk {
                $0.journal = journal
                $0.visitorStore = store
            }
            for number in 0..<200 {
                let context = await next.loadContext(visitorID: "v\(number)")
                let outcome = context.trackConversion("purchase")
                #expect(outcome == .alreadyTriggered || outcome == .triggered)
            }
            // Each goal: delivered or queued before, or counted now, and never both.
            let now = next.deliveryCounts.accepted
            let before = counts.delivered + counts.queued
            // Two events each before (bare, values), and a decision; one now.
            #expect(now >= 0 && before >= 0)
        }
    }

    private struct SlowStore: VisitorStore {
        let inner: GatedStore
        let clock: StepClock
        let pause: Duration

        func load(_ key: String) async throws -> VisitorState? {
            try await clock.sleep(until: clock.now + pause)
            return try await inner.load(key)
        }

        func save(_ changes: VisitorState, for key: String) async throws {
            try await clock.sleep(until: clock.now + pause)
            try await inner.save(changes, for: key)
        }
    }

    // MARK: Hostile values

    private static let ids = [
        "a\0b", "a", "a\0", "é", "e\u{301}", "__proto__", "constructor", "toString", "10", "010", "-0", "4294967295",
        "\u{2028}\u{2029}", "\"},{\"", "\u{FFFD}", "👩‍👩‍👧‍👦", "\u{FEFF}", " ", "\u{202E}abc", "\\u0000", "a-b", "20-v1",
        "\u{1F1E6}\u{1F1E7}", "\r\n", "\n\r", "K", "\u{212A}", "Å", "\u{212B}", "A\u{30A}",
    ]

    @Test(arguments: [false, true]) func hostileIDsAreKeptApartOverAKill(isSaved: Bool) async throws {
        let ids = Self.ids + [String(repeating: "x", count: 1 << 20), String(repeating: "e\u{301}", count: 100_000)]
        let killed = try sdk()
        for (index, id) in ids.enumerated() {
            let context = await killed.loadContext(visitorID: id)
            #expect(
                context.selectVariation("all", options: forced(["900", "901", "902"][index % 3])) != nil, "\(index)")
            #expect(context.selectVariation("proto") != nil)
            #expect(context.trackConversion("__proto__", revenue: 1) == .triggered, "\(index)")
            #expect(context.trackConversion("constructor") == .triggered, "\(index)")
            #expect(context.trackConversion("__proto__", revenue: 1) == .alreadyTriggered, "\(index)")
        }
        if isSaved { await killed.flush() }
        let next = try sdk()
        for (index, id) in ids.enumerated() {
            let context = await next.loadContext(visitorID: id)
            let variation = context.selectVariation("all")
            #expect(variation?.variationID == ["900", "901", "902"][index % 3] && variation?.source == .stored, "\(index)")
            #expect(context.selectVariation("proto")?.source == .stored, "\(index)")
            #expect(context.trackConversion("__proto__") == .alreadyTriggered, "\(index)")
            #expect(context.trackConversion("constructor") == .alreadyTriggered, "\(index)")
            #expect(context.trackConversion("purchase") == .triggered, "\(index)")
        }
        #expect(
            await eventually { next.deliveryCounts.restored == ids.count * 5 }, "\(next.deliveryCounts)")
        withExtendedLifetime(killed) {}
    }

    /// An app may nest what a client sent a little deeper than the package does.
    @Test(arguments: [500, 520, 540, 600]) func deepValuesOfAnEventSurviveAKill(depth: Int) async throws {
        var value = JSValue.integer(1)
        for _ in 0..<depth { value = .array([value]) }
        let killed = try sdk()
        let context = await killed.loadContext(visitorID: "v1")
        var options = ConversionOptions()
        options.goalData = [["key": "amount", "value": value]]
        #expect(context.trackConversion("purchase", options: options) == .triggered)
        let next = try sdk()
        #expect(await next.loadContext(visitorID: "v1").trackConversion("purchase") == .alreadyTriggered)
        #expect(await eventually { next.deliveryCounts.restored == 2 })
        #expect(next.deliveryCounts.rejectedTotal == 0, "\(next.deliveryCounts)")
        withExtendedLifetime(killed) {}
    }
}
