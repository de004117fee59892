import ConvertTestSupport
import Testing

@testable import ConvertConcurrency

@Suite(.timeLimit(.minutes(10)))
struct DeadlineTests {
    private struct Refused: Error {}

    @Test func theOperationsOwnEndComesThrough() async throws {
        let clock = StepClock()
        #expect(try await withDeadline(.seconds(1), by: clock) { 7 } == 7)
        await #expect(throws: Refused.self) { try await withDeadline(.seconds(1), by: clock) { throw Refused() } }
        #expect(await eventually { clock.nextDeadline == nil }, "no alarm stays behind")
    }

    @Test func anOperationThatIgnoresCancellationHoldsUpNoCaller() async throws {
        let (clock, release) = (StepClock(), Latch())
        let wasCancelled = Latch()
        let call = Task {
            try await withDeadline(.seconds(1), by: clock) {
                await withTaskCancellationHandler {
                    while !release.isOpen { await Task.yield() }
                } onCancel: {
                    wasCancelled.open()
                }
            }
        }
        #expect(await eventually { clock.nextDeadline != nil })
        clock.advance(by: .seconds(1))
        await #expect(throws: DeadlineError.self) { try await call.value }
        #expect(await wasCancelled.wait())
        release.open()
    }

    @Test func aCancelledCallerGetsCancellationInsteadOfADeadline() async throws {
        let clock = StepClock()
        let call = Task {
            try await withDeadline(.seconds(1), by: clock) { try await clock.sleep(until: .seconds(100)) }
        }
        #expect(await eventually { clock.nextDeadline != nil })
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
