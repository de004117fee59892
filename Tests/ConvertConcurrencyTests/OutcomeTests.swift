import ConvertTestSupport
import Testing

@testable import ConvertConcurrency

@Suite(.timeLimit(.minutes(10)))
struct OutcomeTests {
    private struct Refused: Error {}

    @Test func waitersContinueOnceThereIsAResult() async throws {
        let outcome = Outcome<Int>()
        #expect(outcome.result == nil && !outcome.latch.isOpen)
        let waits = (0..<10).map { _ in Task { await outcome.latch.wait() ? outcome.result : nil } }
        #expect(await eventually { outcome.latch.waitCount == 10 })
        outcome.set(.success(7))
        for wait in waits { #expect(try await wait.value?.get() == 7) }
    }

    @Test func aFailureIsAResult() async {
        let outcome = Outcome<Int>()
        outcome.set(.failure(Refused()))
        #expect(await outcome.latch.wait())
        #expect(throws: Refused.self) { try outcome.result?.get() }
    }
}
