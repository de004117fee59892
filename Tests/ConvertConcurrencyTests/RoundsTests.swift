import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertConcurrency

@Suite(.timeLimit(.minutes(10)))
struct RoundsTests {
    /// A clock whose moments of rest last until a latch opens.
    private final class RestingClock: TimeSource {
        let clock = StepClock()
        let rests = Mutex<[Latch]>([])

        var now: Duration { clock.now }
        var date: Date { clock.date }
        func sleep(until deadline: Duration) async throws { try await clock.sleep(until: deadline) }

        func rest(for pause: Duration) async {
            let latch = Latch()
            rests.withLock { $0.append(latch) }
            _ = await latch.wait()
        }
    }

    @Test func elementsDuringAPauseFormOneBatchInOrder() async throws {
        let time = RestingClock()
        let rounds = Rounds<Int>(every: .milliseconds(1), by: time)
        let seen = Mutex<[[Int]]>([])
        func add(_ number: Int) { rounds.add(number) { round in seen.withLock { $0.append(round) } } }
        add(1)
        #expect(await eventually { time.rests.withLock { $0.count } == 1 })
        for number in 2...4 { add(number) }
        #expect(seen.withLock { $0 } == [[1]])
        time.rests.withLock { $0[0] }.open()
        #expect(await eventually { time.rests.withLock { $0.count } == 2 })
        #expect(seen.withLock { $0 } == [[1], [2, 3, 4]])
        time.rests.withLock { $0[1] }.open()
        // It ends without work, and begins again with the next element.
        for number in 5...20 {
            add(number)
            #expect(
                await eventually {
                    for rest in time.rests.withLock({ $0 }) { rest.open() }
                    return seen.withLock { $0.last?.last } == number
                })
        }
        #expect(seen.withLock { $0.flatMap { $0 } } == Array(1...20))
    }

    @Test func roundsDoNotRestWhereTimeIsStepped() async throws {
        let rounds = Rounds<Int>(every: .seconds(1000), by: StepClock())
        let seen = Mutex<[Int]>([])
        for number in 0..<1000 { rounds.add(number) { round in seen.withLock { $0 += round } } }
        #expect(await eventually { seen.withLock { $0 } == Array(0..<1000) })
    }
}
