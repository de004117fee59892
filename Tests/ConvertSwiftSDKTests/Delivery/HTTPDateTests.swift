import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

struct HTTPDateTests {
    /// The example of RFC 9110, section 5.6.7, in its three forms.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func theThreeFormsNameOneTime(text: String) {
        #expect(HTTPDate(text, now: 1_700_000_000)?.secondsSince1970 == 784_111_777)
    }

    /// Seconds since 1970 of now, the two digits, the year that they mean.
    static let years: [(now: Int, digits: String, year: Int)] = [
        (1_700_000_000, "23", 2023), (1_700_000_000, "00", 2000), (1_700_000_000, "72", 2072),
        (1_700_000_000, "74", 1974), (1_700_000_000, "99", 1999), (4_102_444_799, "49", 2149),
        (4_102_444_799, "50", 2050), (4_102_444_799, "00", 2100), (0, "69", 1969), (0, "19", 2019), (0, "21", 1921),
    ]

    @Test(arguments: years) func twoDigitsMeanAYearThatIsNotMoreThanFiftyAhead(now: Int, digits: String, year: Int) {
        let long = "Mon, 01 Jan \(year) 00:00:00 GMT"
        let short = HTTPDate("Monday, 01-Jan-\(digits) 00:00:00 GMT", now: now)
        #expect(short != nil && short == HTTPDate(long, now: now))
    }

    @Test func fiftyYearsAreCountedToTheSecond() {
        // 14 November 2023, 22:13:20.
        let now = 1_700_000_000
        let last = HTTPDate("Tuesday, 14-Nov-73 22:13:20 GMT", now: now)
        #expect(last == HTTPDate("Tue, 14 Nov 2073 22:13:20 GMT", now: now))
        let next = HTTPDate("Tuesday, 14-Nov-73 22:13:21 GMT", now: now)
        #expect(next == HTTPDate("Tue, 14 Nov 1973 22:13:21 GMT", now: now))
    }

    @Test func theReadTimesAreFoundations() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let seconds = Int.random(in: -2_000_000_000...30_000_000_000, using: &generator)
            let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(HTTPDate(text, now: 0)?.secondsSince1970 == seconds, "\(text)")
        }
    }
}
