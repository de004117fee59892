import Foundation

/// What a `Retry-After` header asks for (RFC 9110, section 10.2.3): seconds, or a date in the preferred format.
enum RetryAfter {
    /// How long to wait; `nil` if `value` is malformed, zero for a date that has passed.
    static func delay(_ value: String?, at date: Date) -> Duration? {
        guard let text = value?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            return .seconds(Int(text.prefix(9)) ?? 0)
        }
        guard let seconds = secondsSince1970(text) else { return nil }
        let delay = Double(seconds) - date.timeIntervalSince1970
        return delay > 0 ? .seconds(min(delay, 1e9)) : .zero
    }

    /// The time that an IMF-fixdate such as `Sun, 06 Nov 1994 08:49:37 GMT` names.
    private static func secondsSince1970(_ text: String) -> Int? {
        let parts = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
            let month = months.firstIndex(of: String(parts[2])), (1...31).contains(day), (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").map { Int($0) ?? -1 }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        // Days of the civil calendar, counted from March so that the leap day is a year's last.
        let shifted = month < 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}
