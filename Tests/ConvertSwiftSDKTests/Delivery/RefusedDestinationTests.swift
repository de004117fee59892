import ConvertLedgers
import ConvertMonitoring
import ConvertTestSupport
import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDK

/// Destinations that the endpoint refuses, beside others that it takes.
struct RefusedDestinationTests {
    /// A ledger with 30 events of visitor 0, who has a destination of their own, and memory for 20 events.
    private func simulation(
        answer: DeliveryState.SendResult = DeliverySimulation.refusal,
        _ change: (inout DeliveryPolicy) -> Void = { $0.capacity = 20 }
    ) -> DeliverySimulation {
        var policy = DeliveryPolicy()
        change(&policy)
        var simulation = DeliverySimulation(seed: 1, policy: policy, leftBehind: 30, of: 1)
        simulation.start()
        simulation.serve(answer)
        return simulation
    }

    @Test(arguments: [20, 10_000]) func aLongLedgerOfARefusedDestinationDoesNotHoldUpOthers(capacity: Int) {
        var simulation = simulation {
            $0.capacity = capacity
            if capacity > 20 { $0.byteCapacity = 400 }
        }
        for _ in 0..<100 { simulation.track(visitor: 2) }
        simulation.handle(.flush)
        simulation.serve()
        #expect(simulation.arrived.map(\.payload) == (31...130).map { .integer($0) })
        let counts = simulation.state.counts
        #expect(counts.queued == 30 && counts.restored == 30 && counts.rejected.isEmpty && simulation.sumHolds)
        #expect(simulation.flushesEnded == 1 && simulation.ledger?.count == 30)
        // The oldest are sent again after each pause, and the next start reads all others.
        simulation.settle()
        #expect(simulation.arrived.count > 100)
        simulation.restart()
        simulation.settle()
        #expect(simulation.arrived.dropFirst(100).map(\.payload) == (1...30).map { .integer($0) })
        #expect(simulation.ledger?.isEmpty == true)
    }

    @Test func theCurrentDestinationsEventsAreReadOnceItIsTaken() {
        var simulation = simulation()
        for _ in 0..<100 { simulation.track(visitor: 0) }
        simulation.handle(.flush)
        simulation.serve()
        #expect(simulation.arrived.isEmpty && simulation.ledger?.count == 130)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (1...130).map { .integer($0) })
    }

    @Test func eventsOfARefusedDestinationThatTheLedgerKeepsAreQueuedAndStored() {
        var simulation = simulation()
        simulation.track(visitor: 2)
        simulation.handle(.drain(until: simulation.now + .seconds(5)))
        simulation.serve()
        simulation.handle(.stopped)
        #expect(simulation.arrived.map(\.payload) == [31] && simulation.flushesEnded == 1)
        #expect(simulation.state.counts.queued == 30 && simulation.state.isStored)
    }

    @Test func aDestinationThatIsOnlyUnavailableLeavesNothingToTheNextStart() {
        var simulation = simulation(answer: .failed(status: 503, retryAfter: nil))
        simulation.track(visitor: 2)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (1...31).map { .integer($0) })
    }

    @Test func newEventsOfADestinationThatTheLedgerKeepsEventsOfAreSent() {
        var simulation = simulation()
        simulation.track(visitor: 2)
        simulation.handle(.flush)
        simulation.serve()
        simulation.track(visitor: 0)
        simulation.settle()
        #expect(simulation.arrived.contains { $0.payload == 32 })
        simulation.restart()
        simulation.settle()
        #expect(simulation.ledger?.isEmpty == true && simulation.arrived.count == 32)
    }

    @Test func eventsOfARefusedDestinationLeaveRoomForMoreThatAreTakenOver() {
        var policy = DeliveryPolicy()
        policy.capacity = 40
        var simulation = DeliverySimulation(seed: 1, policy: policy, leftBehind: 0)
        simulation.start()
        simulation.track(visitor: 2)
        simulation.handle(.flush)
        simulation.serve()
        let destination = TrackingDestination(sdkKey: nil, accountID: "1", projectID: 2)
        for round in 1...3 {
            let room = simulation.state.takeoverRoom
            #expect(room > 0)
            let events = (0..<room).map { index in
                QueuedEvent(
                    destination: destination, visitorID: "v0", segments: nil, content: .read(.integer(index)),
                    ledgerID: EventID(owner: UInt32(100 + round), number: UInt32(1 + index)))
            }
            simulation.handle(.takenOver(events, unreadable: []))
            simulation.handle(.flush)
            simulation.serve()
        }
        #expect(simulation.sumHolds)
    }

    @Test func withARefusedDestinationTheSumHoldsAndEveryVisitorKeepsTheirOrder() {
        for seed in 0..<caseCount(100, plain: 40) {
            var generator = SeededGenerator(seed: UInt64(seed))
            var policy = DeliveryPolicy()
            policy.capacity = Int.random(in: 1...40, using: &generator)
            policy.requestLimit = Int.random(in: 1...20, using: &generator)
            policy.readLimit = Int.random(in: 1...10, using: &generator)
            policy.byteCapacity = Int.random(in: 3000...8000, using: &generator)
            policy.refusalLimit = Int.random(in: 1...5, using: &generator)
            var simulation = DeliverySimulation(
                seed: UInt64(seed), policy: policy, leftBehind: Int.random(in: 0...60, using: &generator),
                of: Int.random(in: 1...5, using: &generator))
            simulation.start()
            for visitor in 1..<3 { simulation.track(visitor: visitor) }
            for step in 0..<300 {
                simulation.takeRandomStep(&generator)
                guard simulation.sumHolds && simulation.state.bytes == simulation.bytesInMemory && simulation.goesOn
                else {
                    Issue.record("seed \(seed), step \(step): \(simulation.state.counts)")
                    return
                }
            }
            simulation.handle(.allowed(true))
            // Others' events are delivered once no pause is left that the endpoint asked for.
            for _ in 0..<100 {
                simulation.now += .seconds(10)
                simulation.handle(.flush)
                simulation.serve()
            }
            #expect(simulation.waitingVisitors.isSubset(of: ["v0"]), "seed \(seed): \(simulation.waitingVisitors)")
            #expect(simulation.state.counts.refused == simulation.refusedAlone, "seed \(seed)")
            #expect(simulation.state.counts.rejected == simulation.reported, "seed \(seed)")
            if Bool.random(using: &generator) {
                simulation.handle(.drain(until: simulation.now + .seconds(5)))
                simulation.serve()
                simulation.handle(.stopped)
                #expect(simulation.sumHolds && !simulation.isFlushing, "seed \(seed)")
                #expect(simulation.state.counts.queued == simulation.ledger?.count, "seed \(seed)")
            } else {
                simulation.settle()
            }
            simulation.restart()
            simulation.settle()
            #expect(simulation.ledger?.isEmpty == true && simulation.state.counts.queued == 0, "seed \(seed)")
            let numbers = Set(simulation.arrived.compactMap(\.payload.numberValue))
            #expect(numbers.count + simulation.reported.values.reduce(0, +) == simulation.sequence, "seed \(seed)")
            for (visitor, events) in Dictionary(grouping: simulation.arrived, by: \.visitorID) {
                let order = events.compactMap(\.payload.numberValue)
                #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed), \(visitor): \(order)")
            }
        }
    }
}

extension DeliverySimulation {
    fileprivate static var refusal: DeliveryState.SendResult { .failed(.address, status: 404, retryAfter: nil) }

    /// Answers requests and reads until nothing is under way. The endpoint refuses the destination of visitor 0.
    fileprivate mutating func serve(_ refusal: DeliveryState.SendResult = refusal) {
        for _ in 0..<10_000 {
            if let request {
                answer(request[0].visitorID == "v0" ? refusal : .delivered)
            } else if read != nil {
                answerRead()
            } else {
                return
            }
        }
    }

    /// Whose events wait.
    fileprivate var waitingVisitors: Set<String> {
        let stored = (ledger ?? []).map(\.event)
        return Set([state.queue, stored[...]].joined().map(\.visitorID))
    }

    fileprivate mutating func takeRandomStep(_ generator: inout SeededGenerator) {
        let isRefused = request?.first?.visitorID == "v0"
        switch Int.random(in: 0..<18, using: &generator) {
        case 0..<7:
            padding = Bool.random(using: &generator) ? 0 : Int.random(in: 1...300, using: &generator)
            track(visitor: Int.random(in: 1..<5, using: &generator))
        case 7..<9: pass()
        case 9..<11: answer(isRefused ? Self.refusal : .delivered)
        case 11: answer(.failed(status: 503, retryAfter: .seconds(Int.random(in: 0...9, using: &generator))))
        case 12: answer(.refused(status: 422))
        case 13: answer(.failed(.credentials, status: 401, retryAfter: nil))
        case 14: answerRead()
        case 15: answerRead(fails: Bool.random(using: &generator))
        case 16: handle(.flush)
        default: handle(.allowed(Int.random(in: 0..<4, using: &generator) > 0))
        }
    }
}
