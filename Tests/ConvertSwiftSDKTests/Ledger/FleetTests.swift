import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertTestSupport
import ConvertTransport
import Testing

@testable import ConvertSwiftSDK

/// Machines that share a ledger.
@Suite(.timeLimit(.minutes(10)))
struct FleetTests {
    private let disk = MemoryLedger()

    private final class Machine: Sendable {
        let ledger: ScriptedLedger
        let clock = StepClock()
        let sdk: ConvertSDK
        private let status = Shared(200)
        private let taken = Shared<[HTTPRequest]>([])
        let transport: ScriptedTransport

        /// - Parameter failing: what its ledger cannot do from the start.
        init(_ disk: MemoryLedger, failing: [ScriptedLedger.Operation] = []) throws {
            let ledger = ScriptedLedger(disk, isShared: true, takeoverInterval: .seconds(5))
            ledger.fail(failing)
            self.ledger = ledger
            transport = ScriptedTransport { [status, taken] request, _ in
                let status = status.withLock { $0 }
                if status == 200 { taken.withLock { $0.append(request) } }
                return HTTPResponse(status: status)
            }
            sdk = try Fixture.sdk(clock: clock, transport: transport) {
                $0.ledger = ledger
                $0.ledgerPatience = .seconds(100_000)
            }
        }

        /// The events that the endpoint took.
        var events: [(visitor: String, event: JSValue)] { taken.withLock { $0 }.flatMap(\.trackedEvents) }

        /// Whether the endpoint takes events.
        func setDelivering(_ isDelivering: Bool) { status.withLock { $0 = isDelivering ? 200 : 500 } }

        func context(_ visitor: String = "v1") async -> ConvertContext { await sdk.loadContext(visitorID: visitor) }

        /// Whether `condition` holds at some time while the clock goes on.
        func afterAWhile(_ condition: () async -> Bool) async -> Bool {
            await eventually {
                clock.advance(by: .milliseconds(100))
                return await condition()
            }
        }
    }

    private func machines() throws -> (Machine, Machine) { (try Machine(disk), try Machine(disk)) }

    @Test func theFirstStoredDecisionHoldsForAllAndIsReportedOnce() async throws {
        let (first, second) = try machines()
        let (here, there) = (await first.context(), await second.context())
        let forced = DecisionOptions.with {
            $0.forcedVariationID = here.explain("all")?.variation == "all-a" ? "901" : "900"
        }
        #expect(here.decide("all", options: forced).variation?.variationID == forced.forcedVariationID)
        try await here.persisted()
        // It does not know the other one.
        #expect(there.decide("all").variation?.variationID != forced.forcedVariationID)
        try await there.persisted()
        #expect(there.decide("all").variation?.variationID == forced.forcedVariationID)
        #expect(there.decide("all").variation?.source == .stored)
        await first.sdk.flush()
        await second.sdk.flush()
        #expect(first.events.count == 1 && second.transport.requests.isEmpty)
        let counts = second.sdk.deliveryCounts
        #expect(counts.isComplete && counts.accepted == 1 && counts.rejected == [.countedElsewhere: 1])
        #expect(await second.sdk.shutdown(deadline: .seconds(5)).isComplete, "that is no loss")
    }

    @Test func aGoalIsReportedOnceAndItsValuesAsOftenAsTheyAreForced() async throws {
        let (first, second) = try machines()
        let (here, there) = (await first.context(), await second.context())
        #expect(here.trackConversion("purchase", revenue: 1) == .triggered)
        try await here.persisted()
        #expect(there.trackConversion("purchase", options: NumberedConversion.options(7)) == .triggered)
        try await there.persisted()
        #expect(there.trackConversion("purchase") == .alreadyTriggered)
        #expect(await first.sdk.flush().delivered == 2)
        let counts = await second.sdk.flush()
        #expect(counts.delivered == 1 && counts.rejected == [.countedElsewhere: 1])
        #expect(second.transport.requests.flatMap { NumberedConversion.all(in: $0.body) }.map(\.number) == [7])
    }

    @Test func aNewContextKnowsWhatOtherMachinesStored() async throws {
        let (first, second) = try machines()
        _ = await second.context()
        let here = await first.context()
        here.trackConversion("purchase")
        here.setDefaultSegments(["country": "US"])
        try await here.persisted()
        let there = await second.context()
        #expect(there.trackConversion("purchase") == .alreadyTriggered)
        #expect(there.visitorData == here.visitorData)
    }

    @Test func eventsOfAMachineThatEndedAreTakenOverAndSentOnce() async throws {
        let (ended, heir) = try machines()
        ended.setDelivering(false)
        for number in 0..<20 { await ended.context("v\(number)").trackConversion("purchase") }
        await ended.sdk.flush()
        await ended.sdk.shutdown(deadline: .zero)
        #expect(await disk.eventCount == 20)
        await heir.context("own").trackConversion("purchase")
        heir.ledger.inherit(from: ended.ledger)
        #expect(await heir.afterAWhile { heir.sdk.deliveryCounts.delivered == 21 })
        #expect(heir.sdk.deliveryCounts.restored == 20 && heir.sdk.deliveryCounts.isComplete)
        #expect(Set(heir.events.map(\.visitor)).count == 21 && heir.events.count == 21)
        #expect(await heir.afterAWhile { await disk.eventCount == 0 })
    }

    /// The ledger cannot be read at first, and gives events that were taken over in the meantime later.
    @Test func eventsTakenOverBeforeTheFirstReadAreSentOnce() async throws {
        let (ended, heir) = (try Machine(disk), try Machine(disk, failing: [.undelivered]))
        ended.setDelivering(false)
        for number in 0..<20 { await ended.context("v\(number)").trackConversion("purchase") }
        await ended.sdk.flush()
        await ended.sdk.shutdown(deadline: .zero)
        heir.setDelivering(false)
        heir.ledger.inherit(from: ended.ledger)
        #expect(await heir.afterAWhile { heir.clock.now > .seconds(20) && heir.ledger.count(.undelivered) > 1 })
        heir.ledger.heal()
        #expect(await heir.afterAWhile { heir.sdk.deliveryCounts.restored >= 20 })
        #expect(await heir.afterAWhile { heir.clock.now > .seconds(100) })
        heir.setDelivering(true)
        #expect(await heir.afterAWhile { heir.sdk.deliveryCounts.queued == 0 })
        #expect(heir.sdk.deliveryCounts.restored == 20 && heir.events.count == 20)
    }

    @Test func aMachineThatWasTakenForDeadSendsNothingThatAnotherOneTookOver() async throws {
        let (stopped, heir) = try machines()
        stopped.setDelivering(false)
        for number in 0..<20 { await stopped.context("v\(number)").trackConversion("purchase") }
        await stopped.sdk.flush()
        let sent = stopped.transport.requests.count
        // It is stopped for longer than its lease, and goes on.
        heir.ledger.inherit(from: stopped.ledger)
        stopped.ledger.endOwner()
        #expect(await heir.afterAWhile { heir.sdk.deliveryCounts.delivered == 20 })
        stopped.setDelivering(true)
        await stopped.sdk.flush()
        #expect(stopped.transport.requests.count == sent)
        #expect(stopped.sdk.deliveryCounts.rejected == [.takenOver: 20] && stopped.sdk.deliveryCounts.isComplete)
        // It begins a new owner, and goes on with its own.
        await stopped.context("later").trackConversion("purchase")
        #expect(await stopped.afterAWhile { stopped.sdk.deliveryCounts.delivered == 1 })
        #expect(stopped.ledger.owner == 3 && stopped.sdk.deliveryCounts.isComplete)
        #expect(stopped.events.map(\.visitor) == ["later"])
        #expect(await stopped.sdk.shutdown(deadline: .seconds(5)).isComplete)
    }

    /// Nothing is sent while it is not known whether events are still this machine's.
    @Test func eventsWaitWhileTheLedgerDoesNotSayWhoseTheyAre() async throws {
        let (machine, _) = try machines()
        machine.ledger.fail([.owned])
        await machine.context().trackConversion("purchase")
        #expect(await machine.sdk.flush().queued == 1)
        #expect(machine.ledger.count(.owned) > 0 && machine.transport.requests.isEmpty)
        machine.ledger.heal()
        #expect(await machine.sdk.flush().delivered == 1)
    }

    @Test func oneOfManyMachinesReportsEachGoalAndDecision() async throws {
        for seed in 0..<caseCount(10) {
            let disk = MemoryLedger()
            let fleet = try (0..<3).map { _ in try Machine(disk) }
            let ticking = fleet.map { $0.clock.tick(by: .milliseconds(50)) }
            await withTaskGroup(of: Void.self) { group in
                for (index, machine) in fleet.enumerated() {
                    group.addTask {
                        var random = SeededGenerator(seed: seed * 10 + index)
                        for _ in 0..<60 {
                            let context = await machine.context("v\(random.int(0...9))")
                            machine.ledger.losesAnswers = random.happens(20)
                            if random.happens(50) { context.decide("all") }
                            if random.happens(50) { context.trackConversion("purchase") }
                            if random.happens(10) { await machine.sdk.flush() }
                        }
                        machine.ledger.losesAnswers = false
                    }
                }
            }
            var reported: [String: Int] = [:]
            for machine in fleet {
                let report = await machine.sdk.shutdown(deadline: .seconds(1000))
                #expect(report.isComplete && report.events.isComplete, "seed \(seed): \(report)")
                for (visitor, event) in machine.events {
                    let kind = event.objectValue?["eventType"]?.stringValue ?? ""
                    reported["\(visitor) \(kind)", default: 0] += 1
                }
            }
            for task in ticking { task.cancel() }
            #expect(reported.values.allSatisfy { $0 == 1 }, "seed \(seed): \(reported)")
            for number in 0..<10 {
                let record = try await disk.record("v\(number)")
                #expect((record?.goals != nil) == (reported["v\(number) conversion"] != nil), "seed \(seed)")
                #expect((record?.bucketing != nil) == (reported["v\(number) bucketing"] != nil), "seed \(seed)")
            }
        }
    }
}
