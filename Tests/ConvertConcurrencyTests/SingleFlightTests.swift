import ConvertConcurrency
import ConvertTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SingleFlightTests {
    private struct Ended: Error {}

    /// Counts operations, and ends them when the gate opens.
    private final class Operations: Sendable {
        let gate = Latch()
        let begun = Log<Int>()
        let cancelled = Log<Int>()

        func run() async throws -> Int {
            let number = begun.entries.count
            begun.append(number)
            if await gate.wait() { return number }
            cancelled.append(number)
            throw CancellationError()
        }
    }

    private let operations = Operations()

    private func join(_ flights: SingleFlight<Int>) -> Task<Int, any Error> {
        Task { [operations] in try await flights.value { _ in try await operations.run() } }
    }

    @Test func callersInTheMeantimeGetTheSameResult() async throws {
        let flights = SingleFlight<Int>(whenAbandoned: .goesOn)
        let callers = (0..<20).map { _ in join(flights) }
        #expect(await eventually { flights.callerCount == 20 })
        operations.gate.open()
        for caller in callers { #expect(try await caller.value == 0) }
        #expect(operations.begun.entries == [0])
        #expect(try await join(flights).value == 1, "a later call begins anew")
    }

    @Test(arguments: [SingleFlight<Int>.Abandonment.goesOn, .isCancelled])
    func aCallerThatGivesUpEndsAtOnceAndAloneEndsWhatMayEnd(abandonment: SingleFlight<Int>.Abandonment) async throws {
        let flights = SingleFlight<Int>(whenAbandoned: abandonment)
        let (first, second) = (join(flights), join(flights))
        #expect(await eventually { flights.callerCount == 2 })
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(operations.cancelled.entries.isEmpty, "somebody else waits")
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        if abandonment == .goesOn {
            operations.gate.open()
            await flights.finish()
        }
        #expect(await eventually { operations.cancelled.entries.count == (abandonment == .isCancelled ? 1 : 0) })
    }

    @Test func aCallAfterAnAbandonedOperationDoesNotShareItsResult() async throws {
        let flights = SingleFlight<Int>(whenAbandoned: .isCancelled)
        let first = join(flights)
        #expect(await eventually { operations.begun.entries.count == 1 })
        first.cancel()
        _ = await first.result
        operations.gate.open()
        #expect(try await join(flights).value == 1)
    }

    @Test func aClosedFlightTakesNoCaller() async throws {
        let flights = SingleFlight<Int>(whenAbandoned: .goesOn)
        let (closed, gate) = (Latch(), Latch())
        let first = Task {
            try await flights.value { flight in
                try flight.close()
                closed.open()
                _ = await gate.wait()
                return -1
            }
        }
        _ = await closed.wait()
        operations.gate.open()
        #expect(try await join(flights).value == 0)
        gate.open()
        #expect(try await first.value == -1)
    }

    @Test func anEndIsForTheFlightUnderWayAndForAllThatWouldFollow() async throws {
        let flights = SingleFlight<Int>(whenAbandoned: .goesOn)
        let first = join(flights)
        #expect(await eventually { operations.begun.entries.count == 1 })
        flights.end(with: Ended())
        await #expect(throws: Ended.self) { try await first.value }
        await #expect(throws: Ended.self) { try await join(flights).value }
        #expect(operations.begun.entries.count == 1 && operations.cancelled.entries.count == 1)
    }
}
