import ConvertConcurrency
import ConvertTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ExclusiveCallTests {
    /// Calls that ignore cancellation and last until a test ends them.
    private final class Deaf: Sendable {
        let gate = Latch()
        private let count = Atomic(0)

        var begun: Int { count.load(ordering: .relaxed) }

        func callAsFunction() async -> Int {
            let number = count.add(1, ordering: .relaxed).newValue
            _ = await Task.detached { [gate] in await gate.wait() }.value
            return number
        }
    }

    @Test func aCallThatNeverReturnsIsMadeOnceHoweverOftenItIsTried() async throws {
        let (calls, deaf, clock) = (ExclusiveCall(), Deaf(), StepClock())
        for _ in 0..<5 {
            let attempt = Task { try await calls.run(within: .seconds(1), by: clock) { await deaf() } }
            #expect(await eventually { clock.isAwaited(in: .seconds(1)) && deaf.begun > 0 })
            clock.advance(by: .seconds(1))
            await #expect(throws: DeadlineError.self) { try await attempt.value }
        }
        #expect(deaf.begun == 1)
        deaf.gate.open()
        #expect(try await calls.run(within: .seconds(60), by: StepClock()) { await deaf() } == 2)
    }

    /// The number of calls inside at a time.
    private final class Crowd: Sendable {
        private let state = Mutex((count: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func enter() {
            state.withLock { state in
                state.count += 1
                state.most = max(state.most, state.count)
            }
        }

        func leave() { state.withLock { $0.count -= 1 } }
    }

    @Test func callsThatWaitAreMadeOneAfterTheOther() async throws {
        let (calls, crowd) = (ExclusiveCall(), Crowd())
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await calls.run(within: .seconds(60), by: StepClock()) {
                        crowd.enter()
                        await Task.yield()
                        crowd.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(crowd.most == 1)
    }

    @Test func aCallRethrowsAnErrorAndTheNextCallRuns() async throws {
        struct Failure: Error {}
        let calls = ExclusiveCall()
        await #expect(throws: Failure.self) {
            try await calls.run(within: .seconds(60), by: StepClock()) { throw Failure() }
        }
        #expect(try await calls.run(within: .seconds(60), by: StepClock()) { 7 } == 7)
    }
}
