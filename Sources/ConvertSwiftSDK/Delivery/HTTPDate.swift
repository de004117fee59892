import ConvertValues

/// A time in the formats of HTTP headers (RFC 9110, section 5.6.7).
struct HTTPDate: Equatable {
    let secondsSince1970: Int

    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads one of the three formats; `nil` if the text is malformed or the day does not exist.
    ///
    /// The day of the week must be a valid name, but need not match the date: with a two-digit year, the writer may
    /// have meant another century.
    /// - Parameter now: seconds since 1970, for completing a two-digit year.
    init?(_ text: String, now: Int) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard let time = Self.fixdate(parts) ?? Self.rfc850(parts, now: now) ?? Self.asctime(parts) else { return nil }
        secondsSince1970 = time
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixdate(_ parts: [String]) -> Int? {
        guard parts.count == 6, parts[0].hasSuffix(","), days.contains(String(parts[0].dropLast())), parts[5] == "GMT",
            let day = number(parts[1], digits: 2), let year = number(parts[3], digits: 4)
        else { return nil }
        return seconds(year, parts[2], day, parts[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ parts: [String], now: Int) -> Int? {
        guard parts.count == 4, parts[0].hasSuffix(","), longDays.contains(String(parts[0].dropLast())),
            parts[3] == "GMT"
        else { return nil }
        let date = parts[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard date.count == 3, let day = number(date[0], digits: 2), let twoDigits = number(date[2], digits: 2) else {
            return nil
        }
        // The latest matching year that is at most 50 years ahead.
        let today = CivilDate(daysSince1970: CivilDate.floorDivide(now, 86_400))
        let latest = today.year + 50
        let year = latest - ((latest - twoDigits) % 100 + 100) % 100
        guard let time = seconds(year, date[1], day, parts[2]) else { return nil }
        if year == latest, isAfterAnniversary(time, of: now) { return seconds(year - 100, date[1], day, parts[2]) }
        return time
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ parts: [String]) -> Int? {
        var parts = parts
        // A one-digit day follows two spaces.
        if parts.count == 6, parts[2].isEmpty, parts[3].utf8.count == 1 {
            parts.remove(at: 2)
            parts[2] = "0" + parts[2]
        }
        guard parts.count == 5, days.contains(parts[0]), let day = number(parts[2], digits: 2),
            let year = number(parts[4], digits: 4)
        else { return nil }
        return seconds(year, parts[1], day, parts[3])
    }

    private static func seconds(_ year: Int, _ monthName: String, _ day: Int, _ time: String) -> Int? {
        guard let month = months.firstIndex(of: monthName),
            let date = CivilDate(year: year, month: month + 1, day: day)
        else { return nil }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
            .compactMap { number(String($0), digits: 2) }
        // A minute may end with a leap second.
        guard clock.count == 3, time.utf8.count == 8, clock[0] <= 23, clock[1] <= 59, clock[2] <= 60 else { return nil }
        return date.daysSince1970 * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// Whether `time`, whose year is 50 years after the year of `now`, is more than 50 years after `now`.
    private static func isAfterAnniversary(_ time: Int, of now: Int) -> Bool {
        func fields(_ seconds: Int) -> [Int] {
            let day = CivilDate.floorDivide(seconds, 86_400)
            let date = CivilDate(daysSince1970: day)
            return [date.month, date.day, seconds - day * 86_400]
        }
        return fields(now).lexicographicallyPrecedes(fields(time))
    }

    private static func number(_ text: String, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
