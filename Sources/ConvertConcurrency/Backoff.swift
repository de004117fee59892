/// How long to wait between attempts that fail one after the other.
package struct Backoff: Sendable, Hashable {
    /// The first failure is followed by a wait of up to this long, each further one by up to twice as long.
    package var first: Duration
    /// No wait is longer.
    package var longest: Duration

    /// Waits that begin with up to `first` and grow to `longest`.
    package init(first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
        self.first = first
        self.longest = longest
    }

    /// The wait after `failures` failures in a row: anything up to an exponentially growing bound ("full jitter"), so that
    /// many servers that failed together do not come back together.
    package func delay(after failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        var bound = first
        for _ in 1..<max(1, min(failures, 64)) where bound < longest { bound *= 2 }
        return min(bound, longest) * Double.random(in: 0...1, using: &generator)
    }
}
