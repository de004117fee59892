import ConvertTestSupport
import Testing

@testable import ConvertConcurrency

@Suite(.timeLimit(.minutes(10)))
struct LatchTests {
    @Test func aWaitThatEndsEarlyLeavesNothingBehind() async {
        let (latch, clock) = (Latch(), StepClock())
        for _ in 0..<200 {
            let wait = Task { await latch.wait(until: .seconds(1), by: clock) }
            #expect(await eventually { clock.nextDeadline != nil })
            wait.cancel()
            #expect(await wait.value == false)
            #expect(await eventually { clock.nextDeadline == nil })
        }
        #expect(latch.waitCount == 0)
    }

    @Test func aWaitThatWasCancelledBeforeItBeganEndsAtOnce() async {
        let latch = Latch()
        let wait = Task {
            while !Task.isCancelled { await Task.yield() }
            return await latch.wait()
        }
        wait.cancel()
        #expect(await wait.value == false)
        #expect(latch.waitCount == 0)
    }

    @Test func aDeadlineThatHasPassedEndsAWaitAndAnOpenLatchLetsPass() async {
        let (latch, clock) = (Latch(), StepClock())
        #expect(await latch.wait(until: .zero, by: clock) == false)
        latch.open()
        #expect(await latch.wait(until: .zero, by: clock))
        #expect(latch.waitCount == 0)
    }
}
