/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Equatable {
    package let year: Int
    /// The month, 1 to 12.
    package let month: Int
    /// The day of the month, from 1.
    package let day: Int

    /// The years for which days can be counted without overflow.
    package static let years = -9999...9999

    /// Creates a day, or returns `nil` if the calendar has no such day or the year is not one of ``years``.
    package init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, in: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day that is `days` after 1 January 1970, or before it if `days` is negative. The day is at most
    /// about a million years from 1970.
    package init(daysSince1970 days: Int) {
        // Eras of 400 years. Each year starts in March, so that the leap day comes last.
        let shifted = min(max(days, -365_000_000), 365_000_000) + 719_468
        let era = Self.floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        month = march < 10 ? march + 3 : march - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * march + 2) / 5 + 1
    }

    /// Number of days since 1 January 1970; negative before it.
    package var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = Self.floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// A time in UTC in the format of JavaScript's `toISOString`: `2020-10-28T17:08:32.301Z`, with six digits and a
    /// sign for years with more than four digits or before year 0.
    package static func text(milliseconds: Int) -> String {
        func digits(_ value: Int, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(width - text.count, 0)) + text
        }
        let seconds = floorDivide(milliseconds, 1000)
        let days = floorDivide(seconds, 86_400)
        let date = CivilDate(daysSince1970: days)
        let second = seconds - days * 86_400
        let year =
            (0...9999).contains(date.year)
            ? digits(date.year, 4) : (date.year < 0 ? "-" : "+") + digits(abs(date.year), 6)
        let time = [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined(separator: ":")
        let fraction = digits(milliseconds - seconds * 1000, 3)
        return "\(year)-\(digits(date.month, 2))-\(digits(date.day, 2))T\(time).\(fraction)Z"
    }

    /// The quotient, rounded down. `divisor` must be positive.
    package static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
        value / divisor - (value % divisor < 0 ? 1 : 0)
    }
}
