internal import ConvertECMAScript
internal import ConvertValues

/// The time of a line in the form of RFC 3339: `2026-11-27T10:00:00.000Z`, or with an offset from UTC.
struct LogTime: Equatable, Sendable {
    /// The day in UTC, such as `2026-11-27`.
    let day: String
    /// The seconds since 1970, without a fraction.
    let seconds: Int

    /// Reads a time; `nil` if `text` is not a time with an offset or `Z`.
    init?(_ text: ByteText) {
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for index in range {
                guard index < text.count, case let digit = text[index] &- UInt8(ascii: "0"), digit < 10 else {
                    return nil
                }
                value = value * 10 + Int(digit)
            }
            return value
        }
        func has(_ sign: Unicode.Scalar, at index: Int) -> Bool {
            index < text.count && text[index] == UInt8(truncatingIfNeeded: sign.value)
        }
        guard let year = number(0..<4), has("-", at: 4), let month = number(5..<7), has("-", at: 7),
            let date = number(8..<10).flatMap({ CivilDate(year: year, month: month, day: $0) }),
            has("T", at: 10) || has("t", at: 10) || has(" ", at: 10),
            let hour = number(11..<13), has(":", at: 13), let minute = number(14..<16), has(":", at: 16),
            let second = number(17..<19), hour < 24, minute < 60, second <= 60
        else { return nil }
        var end = 19
        if has(".", at: end) {
            end += 1
            while number(end..<end + 1) != nil { end += 1 }
            if end == 20 { return nil }
        }
        var offset = 0
        if has("+", at: end) || has("-", at: end) {
            guard let hours = number(end + 1..<end + 3), has(":", at: end + 3),
                let minutes = number(end + 4..<end + 6), hours < 24, minutes < 60, text.count == end + 6
            else { return nil }
            offset = (hours * 3600 + minutes * 60) * (has("-", at: end) ? -1 : 1)
        } else {
            guard has("Z", at: end) || has("z", at: end), text.count == end + 1 else { return nil }
        }
        let days = date.daysSince1970
        seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        let utcDays = CivilDate.floorDivide(seconds, 86_400)
        // The text contains the day, unless the offset moves the time to another day in UTC.
        day =
            utcDays == days
            ? String(decoding: text.prefix(10), as: UTF8.self)
            : String(CivilDate.text(milliseconds: seconds * 1000).prefix { $0 != "T" })
    }
}
