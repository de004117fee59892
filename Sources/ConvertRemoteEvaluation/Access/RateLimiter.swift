import ConvertConcurrency

/// Limits the rate of requests for each key, with a token bucket that fills steadily.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var time: Duration
    }

    /// Slower rates are raised to one request a day, so that a wait is a number of seconds that `Int` has.
    private static let slowestRate = 1 / 86_400.0

    private let rate: Double
    private let burst: Double
    private let time: any TimeSource
    private let buckets: Mutex<[Bucket]>

    init(_ limit: RemoteEvaluationConfiguration.RateLimit, keys: Int, time: any TimeSource) {
        let isUsable = limit.requestsPerSecond > 0 && limit.requestsPerSecond.isFinite
        rate = isUsable ? max(Self.slowestRate, limit.requestsPerSecond) : 1 / 3600
        burst = Double(max(1, limit.burst))
        self.time = time
        buckets = Mutex(Array(repeating: Bucket(tokens: burst, time: time.now), count: keys))
    }

    /// Takes a token of the key at `place`. Returns `nil` if there was one, otherwise the seconds until there is one.
    func takeToken(place: Int) -> Int? {
        let now = time.now
        return buckets.withLock { buckets in
            let passed = (now - buckets[place].time) / .seconds(1)
            let tokens = min(burst, buckets[place].tokens + max(0, passed) * rate)
            buckets[place] = Bucket(tokens: tokens >= 1 ? tokens - 1 : tokens, time: now)
            return tokens >= 1 ? nil : max(1, Int(((1 - tokens) / rate).rounded(.up)))
        }
    }

    /// Gives back a token that was taken.
    func returnToken(place: Int) { buckets.withLock { $0[place].tokens = min(burst, $0[place].tokens + 1) } }
}
