import ConvertLedgers
import ConvertMonitoring
import ConvertTestSupport
import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

@testable import ConvertSwiftSDK

struct DeliveryStateTests {
    @Test func aFullBatchIsSentImmediately() {
        var simulation = DeliverySimulation(seed: 1)
        for _ in 0..<9 { simulation.track(visitor: 2) }
        #expect(simulation.request == nil)
        simulation.track(visitor: 2)
        #expect(simulation.request?.count == 10)
        #expect(simulation.sendReasons == [.size])
    }

    @Test func aPartialBatchIsSentAfterTheInterval() {
        var simulation = DeliverySimulation(seed: 1)
        simulation.track(visitor: 2)
        #expect(simulation.state.wakeTime == .seconds(1))
        simulation.now = .milliseconds(999)
        simulation.handle(.timer)
        #expect(simulation.request == nil)
        simulation.now = .seconds(1)
        simulation.handle(.timer)
        #expect(simulation.request?.count == 1)
        #expect(simulation.sendReasons == [.timeout])
    }

    @Test func oneRequestIsUnderWayAtATime() {
        var simulation = DeliverySimulation(seed: 1)
        for _ in 0..<25 { simulation.track(visitor: 2) }
        #expect(simulation.request?.count == 10)
        simulation.answer(.delivered)
        #expect(simulation.request?.count == 15)
    }

    @Test func aRequestHasOneDestinationAndABound() {
        var policy = DeliveryPolicy()
        policy.requestLimit = 3
        policy.batchSize = 20
        var simulation = DeliverySimulation(seed: 1, policy: policy)
        for visitor in [2, 2, 2, 2, 1, 1, 2] { simulation.track(visitor: visitor) }
        simulation.handle(.flush)
        var sizes: [Int] = []
        while let request = simulation.request {
            sizes.append(request.count)
            simulation.answer(.delivered)
        }
        #expect(sizes == [3, 1, 2, 1])
        #expect(simulation.flushesEnded == 1)
    }

    /// What an earlier process left is not read on while there is no room for it.
    @Test func aFlushEndsInAPauseThoughTheLedgerIsNotReadToItsEnd() {
        var policy = DeliveryPolicy()
        policy.capacity = 10
        var simulation = DeliverySimulation(seed: 3, policy: policy, leftBehind: 30)
        simulation.start()
        simulation.answerRead()
        simulation.handle(.flush)
        // The events have several destinations.
        while simulation.request != nil { simulation.answer(.failed(status: 429, retryAfter: .seconds(600))) }
        #expect(simulation.flushesEnded == 1)
        simulation.handle(.flush)
        #expect(simulation.flushesEnded == 2)
        simulation.settle()
        #expect(simulation.state.counts.queued == 0 && simulation.sumHolds)
    }

    @Test func retryAfterIsHonouredByFlushesTooAndIsBounded() {
        var simulation = DeliverySimulation(seed: 3)
        simulation.track(visitor: 2)
        simulation.handle(.flush)
        simulation.answer(.failed(status: 429, retryAfter: .seconds(120)))
        #expect(simulation.flushesEnded == 1)
        #expect(simulation.state.wakeTime == .seconds(120))
        simulation.handle(.flush)
        #expect(simulation.request == nil)
        #expect(simulation.flushesEnded == 2)
        simulation.pass()
        #expect(simulation.request != nil)
        simulation.answer(.failed(status: 503, retryAfter: .seconds(1_000_000)))
        #expect(simulation.state.wakeTime == .seconds(120 + 3600))
    }

    @Test func aFlushOverrulesAnOrdinaryPause() {
        var simulation = DeliverySimulation(seed: 3)
        simulation.track(visitor: 2)
        simulation.handle(.flush)
        simulation.answer(.failed(status: nil, retryAfter: nil))
        simulation.handle(.flush)
        #expect(simulation.request != nil)
    }

    @Test func aRefusalIsReportedOnce() {
        var simulation = DeliverySimulation(seed: 3)
        for _ in 0..<12 { simulation.track(visitor: 2) }
        while simulation.reported.isEmpty { simulation.answer(.refused(status: 400)) }
        #expect(simulation.reported == [.refused(status: 400): 1])
        simulation.settle()
        #expect(simulation.reported == [.refused(status: 400): 1])
        #expect(simulation.state.counts.delivered == 11)
    }

    @Test(arguments: [SDKConfiguration.QueueOverflow.dropNewest, .dropOldest])
    func aFullQueueGivesUpWhatItsPolicySays(overflow: SDKConfiguration.QueueOverflow) {
        var policy = DeliveryPolicy()
        policy.capacity = 5
        policy.batchSize = 100
        policy.overflow = overflow
        var simulation = DeliverySimulation(seed: 3, policy: policy)
        for _ in 0..<8 { simulation.track(visitor: 2) }
        #expect(simulation.state.counts.rejected == [.overflow: 3])
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (overflow == .dropNewest ? [1, 2, 3, 4, 5] : [4, 5, 6, 7, 8]))
    }

    @Test func eventsOfAnEarlierProcessAreSentFirst() {
        var simulation = DeliverySimulation(seed: 3, leftBehind: 3)
        simulation.start()
        simulation.track(visitor: 2)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == [1, 2, 3, 4])
        #expect(simulation.state.counts.restored == 3)
        #expect(simulation.state.counts.accepted == 1)
        #expect(simulation.ledger?.isEmpty == true)
    }

    @Test func aLedgerHoldsWhatTheMemoryCannot() {
        var policy = DeliveryPolicy()
        policy.capacity = 10
        var simulation = DeliverySimulation(seed: 3, policy: policy, leftBehind: 0)
        simulation.start()
        simulation.answerRead()
        for _ in 0..<1000 { simulation.track(visitor: 2) }
        #expect(simulation.state.inMemory <= 10)
        #expect(simulation.state.counts.rejectedTotal == 0)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (1...1000).map { .integer($0) })
    }

    @Test func eventsThatTheLedgerLosesAreReported() {
        var policy = DeliveryPolicy()
        policy.capacity = 10
        var simulation = DeliverySimulation(seed: 3, policy: policy, leftBehind: 0)
        simulation.start()
        simulation.answerRead()
        for _ in 0..<100 { simulation.track(visitor: 2) }
        simulation.ledger?.removeAll { $0.id.number > 50 }
        simulation.settle()
        #expect(simulation.state.counts.rejected == [.lostByLedger: 50])
        #expect(simulation.sumHolds)
    }

    @Test func aDrainEndsWhenNothingWaitsAndNotBefore() {
        var simulation = DeliverySimulation(seed: 3)
        simulation.track(visitor: 2)
        simulation.handle(.drain(until: .seconds(1000)))
        simulation.track(visitor: 2)
        simulation.answer(.failed(status: 500, retryAfter: nil))
        #expect(simulation.flushesEnded == 0)
        simulation.pass()
        simulation.answer(.delivered)
        #expect(simulation.flushesEnded == 1)
        #expect(simulation.state.counts.delivered == 2)
    }

    @Test func afterTheStopNothingIsSentAndWhatIsTrackedIsGivenUp() {
        var simulation = DeliverySimulation(seed: 3)
        for _ in 0..<12 { simulation.track(visitor: 2) }
        simulation.handle(.stopped)
        simulation.track(visitor: 2)
        simulation.handle(.flush)
        #expect(simulation.flushesEnded == 1)
        #expect(simulation.state.wakeTime == nil)
        #expect(simulation.state.counts.queued == 12)
        #expect(simulation.state.counts.rejected == [.shutDown: 1])
        #expect(simulation.sumHolds)
    }

    @Test(arguments: [false, true])
    func theSumAlwaysHoldsAndEveryVisitorKeepsTheirOrder(hasLedger: Bool) {
        for seed in 0..<caseCount(100, plain: 40) {
            var generator = SeededGenerator(seed: UInt64(seed))
            var policy = DeliveryPolicy()
            policy.capacity = Int.random(in: 1...40, using: &generator)
            policy.requestLimit = Int.random(in: 1...20, using: &generator)
            policy.readLimit = Int.random(in: 1...10, using: &generator)
            policy.overflow = Bool.random(using: &generator) ? .dropOldest : .dropNewest
            policy.byteCapacity = Int.random(in: 1...4000, using: &generator)
            policy.requestByteLimit = Int.random(in: 1...2000, using: &generator)
            var simulation = DeliverySimulation(
                seed: UInt64(seed), policy: policy,
                leftBehind: hasLedger ? Int.random(in: 0...30, using: &generator) : nil)
            simulation.start()
            // What goes out without the ledger passes what only the ledger has.
            let keepsOrder = seed % 3 > 0
            // Of a destination that is tracked, the ledger keeps nothing for the next start.
            for visitor in 0..<3 { simulation.track(visitor: visitor) }
            for step in 0..<300 {
                simulation.takeRandomStep(&generator, keepsOrder: keepsOrder)
                guard simulation.sumHolds && simulation.state.bytes == simulation.bytesInMemory && simulation.goesOn
                else {
                    Issue.record("seed \(seed), step \(step): \(simulation.state.counts)")
                    return
                }
            }
            simulation.handle(.allowed(true))
            simulation.settle()
            let counts = simulation.state.counts
            #expect(simulation.sumHolds && counts.queued == 0, "seed \(seed): \(counts)")
            #expect(counts.rejected == simulation.reported, "seed \(seed)")
            #expect(counts.refused == simulation.refusedAlone, "seed \(seed)")
            #expect(simulation.ledger?.isEmpty ?? true, "seed \(seed)")
            #expect(counts.delivered == simulation.arrived.count, "seed \(seed)")
            for (visitor, events) in Dictionary(grouping: simulation.arrived, by: \.visitorID) where keepsOrder {
                let order = events.compactMap(\.payload.numberValue)
                #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed), \(visitor): \(order)")
            }
        }
    }
}

extension DeliveryCounts {
    /// Events that were given up because the endpoint refuses them.
    var refused: Int {
        rejected.reduce(0) { sum, rejection in
            if case .refused = rejection.key { sum + rejection.value } else { sum }
        }
    }
}

extension DeliverySimulation {
    fileprivate mutating func takeRandomStep(_ generator: inout SeededGenerator, keepsOrder: Bool) {
        switch Int.random(in: 0..<28, using: &generator) {
        case 0..<9:
            padding = Bool.random(using: &generator) ? 0 : Int.random(in: 1...300, using: &generator)
            track(visitor: Int.random(in: 0..<5, using: &generator))
        case 9..<11: pass()
        case 11..<13: answer(.delivered)
        case 13: answer(.failed(status: 500, retryAfter: nil))
        case 14: answer(.failed(status: 429, retryAfter: .seconds(Int.random(in: 0...9, using: &generator))))
        case 15: answer(.refused(status: Bool.random(using: &generator) ? 400 : 413))
        case 22: answer(.failed(.credentials, status: 401, retryAfter: Bool.random(using: &generator) ? nil : .zero))
        case 23: answer(.failed(.address, status: 404, retryAfter: .seconds(Int.random(in: 0...9, using: &generator))))
        case 16: answerRead()
        case 17: answerRead(fails: Bool.random(using: &generator))
        case 18: handle(.flush)
        case 19: commit(Int.random(in: 1...20, using: &generator))
        case 24: look()
        case 25: countElsewhere(Int.random(in: 1...3, using: &generator))
        case 26: if keepsOrder { tell() } else { release() }
        case 27: tell()
        case 20: handle(.allowed(Bool.random(using: &generator)))
        default: isSlow.toggle()
        }
    }
}
