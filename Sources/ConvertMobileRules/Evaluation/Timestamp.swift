/// A moment as the special keys spell it.
struct Timestamp {
    private let milliseconds: Int64
    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) {
        // Years of five digits are beyond the spelling; the bound also keeps the arithmetic from overflowing.
        let limit: Int64 = 253_402_300_799_999
        milliseconds = min(max(surroundings.now, -limit), limit)
        self.surroundings = surroundings
    }

    /// `2020-10-28T09:08:32-0800`; `Z` without an offset.
    var local: String {
        let offset = min(max(surroundings.secondsFromGMT(milliseconds), -86_400), 86_400)
        let text = date(floorDivide(milliseconds, 1000) + Int64(offset))
        if offset == 0 { return text + "Z" }
        let minutes = abs(offset) / 60
        return text + (offset < 0 ? "-" : "+") + digits(minutes / 60, 2) + digits(minutes % 60, 2)
    }

    /// `2020-10-28T17:08:32.301Z`.
    var utc: String {
        let seconds = floorDivide(milliseconds, 1000)
        return date(seconds) + "." + digits(Int(milliseconds - seconds * 1000), 3) + "Z"
    }

    private func date(_ seconds: Int64) -> String {
        let day = floorDivide(seconds, 86_400)
        let second = Int(seconds - day * 86_400)
        let (year, month, dayOfMonth) = civil(day)
        let time = [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined(separator: ":")
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(dayOfMonth, 2))T\(time)"
    }

    /// The proleptic Gregorian date of a day counted from 1970: eras of 400 years, each year from March on, so that the leap
    /// day comes last.
    private func civil(_ day: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (Int(year), Int(month), Int(dayOfYear - (153 * march + 2) / 5 + 1))
    }

    private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value / divisor - (value % divisor < 0 ? 1 : 0)
    }

    private func digits(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(width - text.count, 0)) + text
    }
}
