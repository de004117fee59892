import ConvertECMAScript
import ConvertMonitoring
import Testing

@testable import ConvertSwiftSDKCore

@testable import ConvertSwiftSDK

/// What is too large, for the endpoint or for the memory.
struct DeliveryBoundsTests {
    @Test func aRequestThatIsRefusedAsTooLargeIsHalvedUntilItIsTaken() {
        var policy = DeliveryPolicy()
        policy.batchSize = 16
        var simulation = DeliverySimulation(seed: 1, policy: policy)
        for _ in 0..<16 { simulation.track(visitor: 2) }
        var sizes: [Int] = []
        while let request = simulation.request {
            sizes.append(request.count)
            simulation.answer(request.count > 5 ? .refused(status: 413) : .delivered)
        }
        #expect(sizes == [16, 8, 4, 4, 8, 4, 4])
        #expect(simulation.arrived.map(\.payload) == (1...16).map { .integer($0) })
        #expect(simulation.reported.isEmpty && simulation.sumHolds)
        #expect(simulation.sendReasons.dropFirst().allSatisfy { $0 == .retry })
    }

    @Test func onlyAnEventThatIsTooLargeByItselfIsGivenUp() {
        var simulation = DeliverySimulation(seed: 1)
        for index in 0..<10 {
            simulation.padding = index == 6 ? 1000 : 0
            simulation.track(visitor: 2)
        }
        while let request = simulation.request {
            let isTooLarge = request.contains { $0.byteCount > 1000 }
            simulation.answer(isTooLarge ? .refused(status: 413) : .delivered)
        }
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (1...10).filter { $0 != 7 }.map { .integer($0) })
        #expect(simulation.reported == [.refused(status: 413): 1])
        #expect(simulation.state.counts.rejected == [.refused(status: 413): 1])
    }

    @Test func aRequestIsBoundedInBytesAndALargeEventGoesAlone() {
        var policy = DeliveryPolicy()
        policy.requestByteLimit = 1000
        policy.batchSize = 100
        var simulation = DeliverySimulation(seed: 1, policy: policy)
        for padding in [300, 300, 300, 300, 2000, 300] {
            simulation.padding = padding
            simulation.track(visitor: 2)
        }
        simulation.handle(.flush)
        var sizes: [Int] = []
        while let request = simulation.request {
            sizes.append(request.count)
            #expect(request.count == 1 || request.reduce(0) { $0 + $1.byteCount } <= 1000)
            simulation.answer(.delivered)
        }
        #expect(sizes == [3, 1, 1, 1])
    }

    @Test(arguments: [SDKConfiguration.QueueOverflow.dropNewest, .dropOldest])
    func aQueueThatIsFullOfBytesGivesUpWhatItsPolicySays(overflow: SDKConfiguration.QueueOverflow) {
        var policy = DeliveryPolicy()
        policy.byteCapacity = 1000
        policy.batchSize = 100
        policy.overflow = overflow
        var simulation = DeliverySimulation(seed: 3, policy: policy)
        simulation.padding = 300
        for _ in 0..<5 { simulation.track(visitor: 2) }
        #expect(simulation.state.bytes <= 1000)
        // What can never fit beside others costs none of them.
        simulation.padding = 5000
        simulation.track(visitor: 2)
        #expect(simulation.state.counts.rejected == [.overflow: 3])
        simulation.settle()
        #expect(simulation.arrived.map(\.payload) == (overflow == .dropNewest ? [1, 2, 3] : [3, 4, 5]))
        simulation.track(visitor: 2)
        #expect(simulation.state.counts.queued == 1, "alone it is taken")
        #expect(simulation.state.bytes == simulation.bytesInMemory && simulation.sumHolds)
    }

    @Test func aLedgerHoldsTheBytesThatTheMemoryCannot() {
        var policy = DeliveryPolicy()
        policy.byteCapacity = 1000
        var simulation = DeliverySimulation(seed: 3, policy: policy, leftBehind: 20)
        simulation.start()
        for index in (0..<200).reversed() {
            simulation.padding = index == 100 ? 3000 : 300
            simulation.track(visitor: 2)
        }
        var most = 0
        for _ in 0..<10_000 where simulation.state.counts.queued > 0 {
            if simulation.request != nil {
                simulation.answer(.delivered)
            } else if simulation.read != nil {
                simulation.answerRead()
            } else {
                simulation.pass()
            }
            if simulation.state.inMemory > 1 { most = max(most, simulation.state.bytes) }
        }
        #expect(most <= 1000)
        #expect(simulation.arrived.map(\.payload) == (1...220).map { .integer($0) })
        #expect(simulation.readCount < 400 && simulation.sumHolds && simulation.state.counts.rejectedTotal == 0)
    }
}
