import ConvertTestSupport
import Testing

@testable import ConvertConcurrency

@Suite(.timeLimit(.minutes(10)))
struct TimedCallsTests {
    private struct Refused: Error {}

    @Test func theOperationsOwnEndComesThrough() async throws {
        let clock = StepClock()
        let calls = TimedCalls(within: .seconds(1), by: clock)
        #expect(try await calls.value { 7 } == 7)
        await #expect(throws: Refused.self) { try await calls.value { throw Refused() } }
        clock.advance(by: .seconds(1))
        #expect(await eventually { clock.nextDeadline == nil }, "the alarm rings once more at most")
    }

    @Test func eachCallHasItsOwnTimeUnderOneAlarm() async throws {
        let clock = StepClock()
        let calls = TimedCalls(within: .seconds(10), by: clock)
        let over = Mutex<[Int]>([])
        let releases = (0..<3).map { _ in Latch() }
        for number in 0..<3 {
            calls.begin(as: calls.reserveID()) {
                _ = await releases[number].wait()
            } whenOver: { result in
                if case .failure(let error) = result, error is DeadlineError {
                    over.withLock { $0.append(number) }
                } else {
                    over.withLock { $0.append(-number) }
                }
            }
            #expect(await eventually { clock.nextDeadline == .seconds(10) })
            clock.advance(by: .seconds(1))
        }
        // The second returns in time.
        releases[1].open()
        #expect(await eventually { over.withLock { $0 } == [-1] })
        clock.advance(by: .seconds(7))
        #expect(await eventually { over.withLock { $0 } == [-1, 0] && clock.nextDeadline == .seconds(12) })
        clock.advance(by: .seconds(2))
        #expect(await eventually { over.withLock { $0 } == [-1, 0, 2] && clock.nextDeadline == nil })
        // What they return later comes too late.
        for release in releases { release.open() }
        #expect(try await calls.value { 7 } == 7)
        #expect(over.withLock { $0 } == [-1, 0, 2])
    }

    @Test func aCallThatIsCancelledIsOverAtOnceAndOnlyOnce() async throws {
        let calls = TimedCalls(within: .seconds(10), by: StepClock())
        let (release, wasCancelled) = (Latch(), Latch())
        let errors = Mutex<[any Error]>([])
        let id = calls.reserveID()
        calls.begin(as: id) {
            _ = await Latch().wait()
            wasCancelled.open()
            while !release.isOpen { await Task.yield() }
        } whenOver: { result in
            if case .failure(let error) = result { errors.withLock { $0.append(error) } }
        }
        calls.cancel(id)
        #expect(errors.withLock { $0.map { $0 is CancellationError } } == [true])
        #expect(await wasCancelled.wait())
        release.open()
        calls.cancel(id)
        #expect(try await calls.value { 7 } == 7)
        #expect(errors.withLock { $0.count } == 1)
    }

    @Test func aCallThatIsCancelledBeforeItBeginsDoesNot() async throws {
        let calls = TimedCalls(within: .seconds(10), by: StepClock())
        let id = calls.reserveID()
        calls.cancel(id)
        let errors = Mutex<[any Error]>([])
        let hasBegun = calls.begin(as: id) {
            Issue.record("it runs")
        } whenOver: { result in
            if case .failure(let error) = result { errors.withLock { $0.append(error) } }
        }
        #expect(!hasBegun && errors.withLock { $0.map { $0 is CancellationError } } == [true])
    }
}
