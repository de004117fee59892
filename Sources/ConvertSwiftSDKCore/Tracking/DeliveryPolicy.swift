/// How tracking events are gathered, sent and sent again.
package struct DeliveryPolicy: Sendable, Hashable {
    /// What gives way when the queue is full.
    package enum Overflow: Sendable, Hashable {
        /// The event that comes is given up.
        case dropNewest
        /// The event that waits the longest is given up.
        case dropOldest
    }

    /// From this many events on, what waits is sent without waiting longer; 1 or more.
    package var batchSize = 10
    /// How long an event waits for others.
    package var releaseInterval = Duration.seconds(1)
    /// The most events in one request; what a long outage gathered goes out in several.
    package var requestLimit = 500
    /// The most bytes of events in one request, about; an event that is larger by itself goes alone.
    package var requestByteLimit = 512 << 10
    /// The most events in memory.
    package var capacity = 10_000
    /// The most bytes of events in memory, about; an event that is larger by itself is taken while nothing else is there.
    package var byteCapacity = 64 << 20
    /// What gives way beyond that.
    package var overflow = Overflow.dropNewest
    /// The first failure is followed by a wait of up to this long, each further one by up to twice as long.
    package var firstRetryDelay = Duration.seconds(1)
    /// No wait is longer, unless the endpoint asks for it.
    package var maximumRetryDelay = Duration.seconds(60)
    /// No wait that the endpoint asks for is longer: a wrong header must not silence a process for days.
    package var maximumRetryAfter = Duration.seconds(3600)
    /// Events are read from the journal in portions of this many.
    package var readLimit = 500

    /// The defaults.
    package init() {}

    /// The wait after `failures` failures in a row: anything up to an exponentially growing bound ("full jitter"), so that
    /// many servers that failed together do not come back together.
    package func retryDelay(failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        var bound = firstRetryDelay
        for _ in 1..<max(1, min(failures, 64)) where bound < maximumRetryDelay { bound *= 2 }
        return min(bound, maximumRetryDelay) * Double.random(in: 0...1, using: &generator)
    }
}
