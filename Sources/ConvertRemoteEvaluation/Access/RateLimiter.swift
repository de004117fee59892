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
            fill(&buckets[place], at: now)
            if let seconds = secondsUntilToken(of: buckets[place]) { return seconds }
            buckets[place].tokens -= 1
            return nil
        }
    }

    /// The seconds until the key at `place` has a token; `nil` if it has one.
    func secondsUntilToken(place: Int) -> Int? {
        var bucket = buckets.withLock { $0[place] }
        fill(&bucket, at: time.now)
        return secondsUntilToken(of: bucket)
    }

    private func fill(_ bucket: inout Bucket, at now: Duration) {
        // Another thread may have been faster with a later time.
        if now <= bucket.time { return }
        bucket.tokens = min(burst, bucket.tokens + (now - bucket.time) / .seconds(1) * rate)
        bucket.time = now
    }

    private func secondsUntilToken(of bucket: Bucket) -> Int? {
        bucket.tokens >= 1 ? nil : max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
    }
}
