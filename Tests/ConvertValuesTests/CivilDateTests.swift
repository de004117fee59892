import ConvertValues
import Testing

struct CivilDateTests {
    static let known: [(year: Int, month: Int, day: Int, days: Int)] = [
        (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (2023, 11, 14, 19_675),
        (1900, 2, 28, -25_509), (1900, 3, 1, -25_508), (1, 1, 1, -719_162), (9999, 12, 31, 2_932_896),
    ]

    @Test(arguments: known) func daysAreCountedFrom1970(year: Int, month: Int, day: Int, days: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(date.daysSince1970 == days)
        #expect(CivilDate(daysSince1970: days) == date)
    }

    static let missing: [(year: Int, month: Int, day: Int)] = [
        (2026, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 2, 31), (2024, 4, 31), (2024, 12, 32), (2024, 1, 0),
        (2024, 0, 1), (2024, 13, 1), (2024, -1, 1), (.max, 1, 1), (.min, 1, 1), (10_000, 1, 1),
    ]

    @Test(arguments: missing) func aDayThatDoesNotExistHasNoDate(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test func everyDayOfFourCenturiesFollowsTheOneBefore() throws {
        var days = try #require(CivilDate(year: 1800, month: 1, day: 1)).daysSince1970
        for year in 1800..<2200 {
            for month in 1...12 {
                var length = 0
                for day in 1...31 {
                    guard let date = CivilDate(year: year, month: month, day: day) else { continue }
                    length += 1
                    guard date.daysSince1970 == days, CivilDate(daysSince1970: days) == date, day == length else {
                        Issue.record("\(year)-\(month)-\(day) is not day \(days)")
                        return
                    }
                    days += 1
                }
            }
        }
        #expect(days == CivilDate(year: 2200, month: 1, day: 1)?.daysSince1970)
    }

    @Test(arguments: [Int.min, Int.max]) func anExtremeDayHasADate(days: Int) {
        #expect((1...12).contains(CivilDate(daysSince1970: days).month))
    }
}
