import ConvertConcurrency
import ConvertTestSupport
import Testing

struct BackoffTests {
    @Test func failuresBackOffWithFullJitterUpToABound() {
        let backoff = Backoff(first: .seconds(1), longest: .seconds(60))
        var generator = SeededGenerator(seed: 7)
        for failures in 1...80 {
            let bound = min(Double(1 << min(failures - 1, 20)), 60)
            for _ in 0..<50 {
                let delay = backoff.delay(after: failures, using: &generator)
                #expect(delay >= .zero && delay <= .seconds(bound))
            }
        }
    }

    @Test func theJitterReachesBothEndsOfItsBound() {
        let backoff = Backoff(first: .seconds(1), longest: .seconds(60))
        var generator = SeededGenerator(seed: 8)
        let delays = (0..<1000).map { _ in backoff.delay(after: 10, using: &generator) }
        #expect(delays.contains { $0 < .seconds(2) } && delays.contains { $0 > .seconds(58) })
    }
}
