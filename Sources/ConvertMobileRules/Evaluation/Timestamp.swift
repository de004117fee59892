internal import ConvertValues

/// A time in the formats of the special keys.
struct Timestamp {
    private let milliseconds: Int
    private let environment: EvaluationEnvironment

    init(_ environment: EvaluationEnvironment) {
        // The format has no years of five digits. The limit also prevents overflow.
        let limit: Int64 = 253_402_300_799_999
        milliseconds = Int(min(max(environment.now, -limit), limit))
        self.environment = environment
    }

    /// The local time, such as `2020-10-28T09:08:32-0800`; `Z` without an offset.
    var local: String {
        let offset = min(max(environment.secondsFromGMT(Int64(milliseconds)), -86_400), 86_400)
        let text = date(CivilDate.floorDivide(milliseconds, 1000) + offset)
        if offset == 0 { return text + "Z" }
        let minutes = abs(offset) / 60
        return text + (offset < 0 ? "-" : "+") + digits(minutes / 60, 2) + digits(minutes % 60, 2)
    }

    /// The time in UTC, such as `2020-10-28T17:08:32.301Z`.
    var utc: String { CivilDate.text(milliseconds: milliseconds) }

    private func date(_ seconds: Int) -> String {
        let day = CivilDate.floorDivide(seconds, 86_400)
        let second = seconds - day * 86_400
        let date = CivilDate(daysSince1970: day)
        let time = [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined(separator: ":")
        return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T\(time)"
    }

    private func digits(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(width - text.count, 0)) + text
    }
}
