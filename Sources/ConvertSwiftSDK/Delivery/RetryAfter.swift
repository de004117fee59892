#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The value of a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date.
enum RetryAfter {
    /// About 31 years: longer than any useful wait, and short enough for the arithmetic.
    private static let longest = 1_000_000_000

    /// How long to wait; `nil` if `value` is malformed, zero for a date that has passed.
    static func delay(_ value: String?, at date: Date) -> Duration? {
        guard let text = value?[...].trimmed({ $0 == " " || $0 == "\t" }), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let digits = text.drop { $0 == "0" }
            if digits.isEmpty { return .zero }
            return .seconds(min(digits.count < 11 ? Int(digits) ?? longest : longest, longest))
        }
        // A clock that is wrong by centuries must not make the arithmetic overflow.
        let now = min(max(date.timeIntervalSince1970, -1e11), 1e11)
        guard let time = HTTPDate(String(text), now: Int(now)) else { return nil }
        let delay = Double(time.secondsSince1970) - now
        return delay > 0 ? .seconds(min(delay, Double(longest))) : .zero
    }
}
