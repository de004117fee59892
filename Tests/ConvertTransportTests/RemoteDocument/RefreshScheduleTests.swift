import ConvertTestSupport
import ConvertTransport
import Testing

struct RefreshScheduleTests {
    private static let bounds: [(failures: Int, least: Duration, most: Duration)] = [
        (0, .seconds(90), .seconds(110)), (1, .milliseconds(200), .milliseconds(1200)),
        (4, .milliseconds(200), .milliseconds(8200)), (40, .milliseconds(200), .milliseconds(100_200)),
    ]

    @Test(arguments: bounds) func theNextRefreshIsTheIntervalOrAnEarlierRetry(
        failures: Int, least: Duration, most: Duration
    ) {
        var generator = SeededGenerator(seed: failures)
        for _ in 0..<200 {
            var schedule = RefreshSchedule(every: .seconds(100))
            for _ in 0..<failures { schedule.fetchEnded(false) }
            let delay = schedule.delay(using: &generator)
            #expect(delay.map { (least...most).contains($0) } == true)
        }
    }

    @Test func withoutAnIntervalOneSuccessIsEnough() {
        var generator = SeededGenerator(seed: 1)
        var schedule = RefreshSchedule(every: .zero)
        schedule.fetchEnded(false)
        #expect(schedule.delay(using: &generator) != nil)
        schedule.fetchEnded(true)
        #expect(schedule.delay(using: &generator) == nil)
    }
}
