internal import ConvertECMAScript
internal import ConvertValues

/// Reads the times of a log's lines in the form of RFC 3339: `2026-11-27T10:00:00.000Z`, or with an offset from UTC.
///
/// It remembers the last date, because most lines have the date of the line before (workload `srm`).
struct LogClock: Sendable {
    /// The time of a line.
    struct Time: Equatable {
        /// The day in UTC, such as `2026-11-27`.
        let day: String
        /// The seconds since 1970, without a fraction.
        let seconds: Int
    }

    /// The length of a time without a fraction, in UTC.
    private static let shortestLength = 20
    private static let secondsOfDay = 86_400

    private var date: [UInt8] = []
    private var day = ""
    /// The number of days from 1970 to the date.
    private var days = 0

    /// Reads a time; `nil` if `text` is not a time with an offset or `Z`.
    mutating func time(_ text: ByteText) -> Time? {
        guard text.count >= Self.shortestLength, readDate(text.slice(0..<10)), let second = Self.second(in: text) else {
            return nil
        }
        let seconds = days * Self.secondsOfDay + second
        // An offset may move the time to another day in UTC.
        let isSameDay = second >= 0 && second < Self.secondsOfDay
        return Time(
            day: isSameDay ? day : String(CivilDate.text(milliseconds: seconds * 1000).prefix { $0 != "T" }),
            seconds: seconds)
    }

    /// Remembers a date. Returns `false` if `text` is not a date.
    private mutating func readDate(_ text: ByteText) -> Bool {
        if date.areSame(as: text) { return true }
        guard let century = Self.twoDigits(of: text, at: 0), let year = Self.twoDigits(of: text, at: 2),
            Self.has("-", at: 4, in: text), let month = Self.twoDigits(of: text, at: 5),
            Self.has("-", at: 7, in: text), let dayOfMonth = Self.twoDigits(of: text, at: 8),
            let known = CivilDate(year: century * 100 + year, month: month, day: dayOfMonth)
        else { return false }
        date = Array(text)
        day = String(decoding: text, as: UTF8.self)
        days = known.daysSince1970
        return true
    }

    /// The second in UTC, counted from the start of the date; `nil` if the text after the date is not a time of day.
    private static func second(in text: ByteText) -> Int? {
        guard has("T", at: 10, in: text) || has("t", at: 10, in: text) || has(" ", at: 10, in: text),
            let hour = twoDigits(of: text, at: 11), has(":", at: 13, in: text),
            let minute = twoDigits(of: text, at: 14), has(":", at: 16, in: text),
            let second = twoDigits(of: text, at: 17), hour < 24, minute < 60, second <= 60
        else { return nil }
        var end = 19
        if has(".", at: end, in: text) {
            end += 1
            while end < text.count, digit(text[end]) != nil { end += 1 }
            if end == 20 { return nil }
        }
        guard let offset = offset(in: text, at: end) else { return nil }
        return hour * 3600 + minute * 60 + second - offset
    }

    /// The offset from UTC in seconds at `index`, where the text ends with it; otherwise `nil`.
    private static func offset(in text: ByteText, at index: Int) -> Int? {
        if has("Z", at: index, in: text) || has("z", at: index, in: text) { return text.count == index + 1 ? 0 : nil }
        let isNegative = has("-", at: index, in: text)
        guard isNegative || has("+", at: index, in: text), let hours = twoDigits(of: text, at: index + 1),
            has(":", at: index + 3, in: text), let minutes = twoDigits(of: text, at: index + 4),
            hours < 24, minutes < 60, text.count == index + 6
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }

    private static func has(_ sign: Unicode.Scalar, at index: Int, in text: ByteText) -> Bool {
        index < text.count && text[index] == UInt8(truncatingIfNeeded: sign.value)
    }

    private static func twoDigits(of text: ByteText, at index: Int) -> Int? {
        guard index + 1 < text.count, let tens = digit(text[index]), let ones = digit(text[index + 1]) else {
            return nil
        }
        return tens * 10 + ones
    }

    private static func digit(_ byte: UInt8) -> Int? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? Int(digit) : nil
    }
}
