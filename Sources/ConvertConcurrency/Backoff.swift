/// Computes the wait between attempts that fail one after the other.
package struct Backoff: Sendable, Hashable {
    /// The maximum wait after the first failure. It doubles with each further failure.
    package var first: Duration
    /// The maximum of all waits.
    package var longest: Duration

    /// Creates waits of up to `first` at the beginning and up to `longest` at the end.
    package init(first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
        self.first = first
        self.longest = longest
    }

    /// Returns the wait after `failures` successive failures: a random duration up to an exponentially growing maximum
    /// ("full jitter"), so that many servers that failed together do not retry together.
    package func delay(after failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        var bound = first
        for _ in 1..<max(1, min(failures, 64)) where bound < longest { bound *= 2 }
        return min(bound, longest) * Double.random(in: 0...1, using: &generator)
    }
}
