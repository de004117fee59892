import Testing

@testable import ConvertConcurrency

@Suite(.timeLimit(.minutes(10)))
struct SystemTimeTests {
    @Test func timeNeverGoesBackAndASleepEndsAtItsDeadlineOrLater() async throws {
        let time = SystemTime()
        var last = time.now
        for _ in 0..<1000 {
            let now = time.now
            #expect(now >= last)
            last = now
        }
        let deadline = time.now + .milliseconds(2)
        try await time.sleep(until: deadline)
        #expect(time.now >= deadline)
    }

    @Test(arguments: [Duration.seconds(-1), .zero, .seconds(Int64.min / 2)])
    func aDeadlineInThePastIsNoSleep(deadline: Duration) async throws {
        try await SystemTime().sleep(until: deadline)
    }

    @Test(arguments: [Duration.seconds(Int64.max / 2), .seconds(1 << 40)])
    func aDeadlineThatNeverComesNeitherTrapsNorReturns(deadline: Duration) async {
        let sleep = Task { try await SystemTime().sleep(until: deadline) }
        await Task.yield()
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }
}
