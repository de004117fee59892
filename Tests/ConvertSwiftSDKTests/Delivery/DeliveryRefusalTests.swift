import ConvertECMAScript
import ConvertMonitoring
import Testing

@testable import ConvertSwiftSDK

/// Refusals of bodies and of destinations, without a network.
struct DeliveryRefusalTests {
    private func simulation(_ events: Int, visitor: Int = 2) -> DeliverySimulation {
        var policy = DeliveryPolicy()
        policy.batchSize = 1000
        var simulation = DeliverySimulation(seed: 1, policy: policy)
        for _ in 0..<events { simulation.track(visitor: visitor) }
        simulation.handle(.flush)
        return simulation
    }

    @Test(arguments: [(1, 1), (2, 3), (100, 15), (500, 19)])
    func aRefusedEventCostsTwoRequestsForEachHalving(events: Int, most: Int) {
        for refused in stride(from: 1, through: events, by: max(1, events / 25)) {
            var simulation = simulation(events)
            var requests = 0
            while let request = simulation.request {
                requests += 1
                let isRefused = request.contains { $0.payload == .integer(refused) }
                simulation.answer(isRefused ? .refused(status: 400) : .delivered)
            }
            #expect(requests <= most, "\(refused) of \(events)")
            #expect(simulation.arrived.map(\.payload) == (1...events).filter { $0 != refused }.map { .integer($0) })
            #expect(simulation.reported == [.refused(status: 400): 1] && simulation.flushesEnded == 1)
        }
    }

    @Test func anOutageInAHalvedRequestLosesNothing() {
        var simulation = simulation(16)
        simulation.answer(.refused(status: 400))
        simulation.answer(.failed(.credentials, status: 401, retryAfter: nil))
        #expect(simulation.request == nil && simulation.flushesEnded == 1)
        simulation.handle(.flush)
        #expect(simulation.request?.count == 8)
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (1...16).map { .integer($0) })
    }

    @Test func refusalsOfEverythingPauseAfterFiftyEventsAndThenAfterEachOne() {
        var simulation = simulation(120)
        for refused in [50, 51, 52] {
            while simulation.request != nil { simulation.answer(.refused(status: 400)) }
            #expect(simulation.state.counts.rejected == [.refused(status: 400): refused])
            #expect(simulation.state.outage?.cause == .request && simulation.state.outage?.status == 400)
            simulation.handle(.flush)
        }
        #expect(simulation.warnings == ["request 400"])
        simulation.answer(.delivered)
        #expect(simulation.state.outage == nil)
        simulation.settle()
        #expect(simulation.state.counts.delivered == 68)
    }

    @Test func anEventThatIsTakenAllowsFiftyRefusalsAgain() {
        var simulation = simulation(120)
        while simulation.request != nil { simulation.answer(.refused(status: 400)) }
        simulation.handle(.flush)
        simulation.answer(.delivered)
        while simulation.request != nil { simulation.answer(.refused(status: 400)) }
        #expect(simulation.state.counts.rejected == [.refused(status: 400): 100])
    }

    @Test func theOutageOfTheDestinationThatWasTrackedLastComesFirst() {
        var simulation = simulation(1, visitor: 1)
        simulation.answer(.failed(.address, status: 404, retryAfter: nil))
        simulation.now += .seconds(1)
        simulation.track(visitor: 2)
        simulation.handle(.flush)
        simulation.answer(.failed(.address, status: 404, retryAfter: nil))
        #expect(simulation.request?.map(\.payload) == [2] && simulation.state.outage?.cause == .address)
        simulation.answer(.failed(.credentials, status: 401, retryAfter: nil))
        #expect(simulation.state.outage?.cause == .credentials)
        simulation.handle(.flush)
        simulation.answer(.failed(.address, status: 404, retryAfter: nil))
        simulation.answer(.delivered)
        #expect(simulation.state.outage?.cause == .address, "that of another one, if there is no nearer one")
    }

    @Test func aDestinationThatPausesLetsOthersPassAndKeepsItsOrder() {
        var simulation = DeliverySimulation(seed: 1)
        for visitor in [1, 1, 2, 1, 2] { simulation.track(visitor: visitor) }
        simulation.handle(.flush)
        #expect(simulation.request?.map(\.payload) == [1, 2])
        simulation.answer(.failed(.address, status: 404, retryAfter: nil))
        #expect(simulation.request?.map(\.payload) == [3])
        simulation.answer(.delivered)
        #expect(simulation.request?.map(\.payload) == [5])
        simulation.answer(.delivered)
        #expect(simulation.request == nil && simulation.flushesEnded == 1)
        // An event that comes meanwhile passes too, after the usual interval.
        simulation.track(visitor: 2)
        simulation.now += .seconds(1)
        simulation.handle(.timer)
        #expect(simulation.request?.map(\.payload) == [6])
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == [3, 5, 6, 1, 2, 4])
    }

    @Test func aDrainEndsIfAllDestinationsPauseBeyondItsDeadline() {
        var simulation = DeliverySimulation(seed: 1)
        for visitor in [1, 2] { simulation.track(visitor: visitor) }
        simulation.handle(.drain(until: .seconds(100)))
        simulation.answer(.failed(.address, status: 404, retryAfter: .seconds(200)))
        #expect(simulation.flushesEnded == 0)
        simulation.answer(.failed(status: 503, retryAfter: .seconds(200)))
        #expect(simulation.flushesEnded == 1)
    }

    /// Whatever the random pauses are.
    @Test(arguments: 0..<20) func aDrainTriesUntilItsDeadline(seed: UInt64) {
        var simulation = DeliverySimulation(seed: seed)
        simulation.track(visitor: 1)
        simulation.handle(.drain(until: .seconds(10)))
        while simulation.flushesEnded == 0 {
            if simulation.request == nil { simulation.pass() }
            simulation.answer(.failed(status: 500, retryAfter: nil))
        }
        #expect(simulation.now > .seconds(9.7) && simulation.now <= .seconds(10))
    }

    @Test func aDrainWaitsForEventsThatAreBeingReadThoughAllOthersPause() {
        var policy = DeliveryPolicy()
        policy.readLimit = 1
        var simulation = DeliverySimulation(seed: 1, policy: policy, leftBehind: 2)
        simulation.start()
        simulation.answerRead()
        simulation.handle(.drain(until: .seconds(100)))
        #expect(simulation.request?.map(\.payload) == [1] && simulation.read != nil)
        simulation.answer(.failed(.address, status: 404, retryAfter: .seconds(200)))
        #expect(simulation.flushesEnded == 0)
        simulation.answerRead()
        #expect(simulation.request?.map(\.payload) == [2])
    }

    @Test func eventsThatPassAPausingDestinationWaitForOthersToGoWithThem() {
        var simulation = simulation(1, visitor: 1)
        simulation.answer(.failed(.address, status: 404, retryAfter: .seconds(600)))
        simulation.now += .seconds(10)
        simulation.track(visitor: 2)
        #expect(simulation.request == nil)
        simulation.now += .milliseconds(500)
        simulation.track(visitor: 2)
        #expect(simulation.state.wakeTime == .seconds(11))
        simulation.now += .milliseconds(500)
        simulation.handle(.timer)
        #expect(simulation.request?.map(\.payload) == [2, 3])
    }

    @Test func eachCauseOfAnOutageIsWarnedOfOnceForAllDestinations() {
        var simulation = DeliverySimulation(seed: 1)
        for visitor in [1, 2] { simulation.track(visitor: visitor) }
        for status in [401, 401, 404, 401] {
            simulation.handle(.flush)
            while simulation.request != nil {
                simulation.answer(.failed(status == 401 ? .credentials : .address, status: status, retryAfter: nil))
            }
        }
        #expect(simulation.warnings == ["credentials 401", "address 404"])
        simulation.settle()
        simulation.track(visitor: 2)
        simulation.handle(.flush)
        simulation.answer(.failed(.credentials, status: 403, retryAfter: nil))
        #expect(simulation.warnings.last == "credentials 403", "another outage")
    }

    /// A pause of a second that the endpoint asks for does not make a long one its own.
    @Test func aFlushWaitsNoLongerThanTheEndpointAskedFor() {
        var simulation = simulation(1)
        for _ in 0..<12 {
            simulation.answer(.failed(.credentials, status: 403, retryAfter: .seconds(1)))
            simulation.handle(.flush)
            #expect(simulation.request == nil, "not even a flush sends at once")
            simulation.now += .seconds(1)
            simulation.handle(.flush)
        }
        #expect(simulation.request?.count == 1)
    }

    @Test(arguments: [SDKConfiguration.QueueOverflow.dropNewest, .dropOldest])
    func theQueueKeepsItsBoundsWhileItsEventsPause(overflow: SDKConfiguration.QueueOverflow) {
        var policy = DeliveryPolicy()
        policy.capacity = 5
        policy.overflow = overflow
        var simulation = DeliverySimulation(seed: 1, policy: policy)
        simulation.track(visitor: 2)
        simulation.handle(.flush)
        simulation.answer(.failed(.credentials, status: 401, retryAfter: .seconds(600)))
        for _ in 0..<9 { simulation.track(visitor: 2) }
        #expect(simulation.state.counts.rejected == [.overflow: 5] && simulation.state.inMemory == 5)
        // Another destination's event is found behind those that pause.
        simulation.track(visitor: 1)
        simulation.handle(.flush)
        #expect(simulation.request?.map(\.payload) == (overflow == .dropOldest ? [11] : nil))
        simulation.settle()
        #expect(simulation.sumHolds && simulation.state.counts.delivered == 5)
    }
}
