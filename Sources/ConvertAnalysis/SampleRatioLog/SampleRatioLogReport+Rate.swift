internal import ConvertECMAScript
internal import Foundation

extension SampleRatioLogReport {
    /// The share of visitors without a variation of an experience. A visitor counts once a day, by the first line of
    /// the day.
    public struct Rate: Sendable, Equatable {
        /// The experience's key, the day in UTC, or the value of the attribute.
        public let name: String
        /// The number of counted visitors.
        public internal(set) var visitors = 0
        /// The number of counted visitors without a variation.
        public internal(set) var undealt = 0
        /// The change of the rate; `nil` if the log shows no change.
        public internal(set) var change: RateChange?
        /// The rate by day.
        public internal(set) var days: [Rate] = []
        /// The rate by value of the attribute, the most frequent first.
        public internal(set) var segments: [Rate] = []
    }
}

extension SampleRatioLogReport.Rate {
    /// The name for printing: an empty text becomes `""`.
    package var label: String { SampleRatioLogReport.label(of: name) }

    /// The rate for printing, such as `41.2 %`.
    package var percentage: String { RateChange.percentage(Double(undealt) / Double(max(1, visitors))) }

    /// Whether the rate of all visitors, or of the visitors with some value, changes.
    var isChanged: Bool { change != nil || segments.contains { $0.change != nil } }

    var value: JSValue {
        var members = counts
        members["change"] = change?.value ?? .null
        members["days"] = .array(days.map { .object($0.counts) })
        members["segments"] = .array(
            segments.map { segment in
                var members = segment.counts
                members["change"] = segment.change?.value ?? .null
                members["days"] = .array(segment.days.map { .object($0.counts) })
                return .object(members)
            })
        return .object(members)
    }

    private var counts: JSObject {
        ["name": .string(name), "visitors": .integer(visitors), "undealt": .integer(undealt)]
    }
}

extension RateChange {
    fileprivate static func percentage(_ rate: Double) -> String { String(format: "%.1f %%", rate * 100) }

    /// The change with its start, such as `from 2026-11-24 on 52.1 %, before 38.0 %`.
    package var words: String {
        let (now, other) = (Self.percentage(rate), Self.percentage(otherRate))
        if isNewValue, course != .oneDay {
            return "new on \(day), \(now) since then; all visitors before \(other)"
        }
        return switch course {
        case .since: "from \(day) on \(now), before \(other)"
        case .during: "began during \(day); after it \(now), before \(other)"
        case .oneDay: "on \(day) \(now), on other days \(other)"
        }
    }

    fileprivate var value: JSValue {
        [
            "day": .string(day), "course": .string(course.rawValue), "newValue": .bool(isNewValue),
            "otherRate": .number(otherRate), "rate": .number(rate), "p": .number(p),
        ]
    }
}

extension SampleRatioLogReport.Experience {
    /// The changes of the rate, of all visitors and of the visitors with one value. The earliest change comes first.
    package var rateChanges: [(visitors: String, change: RateChange)] {
        let all = undealt.change.map { [("all visitors", $0)] } ?? []
        let some = undealt.segments.compactMap { segment in segment.change.map { (visitors(of: segment.name), $0) } }
        return (all + some).enumerated().sorted { ($0.element.1.day, $0.offset) < ($1.element.1.day, $1.offset) }
            .map(\.element)
    }
}
