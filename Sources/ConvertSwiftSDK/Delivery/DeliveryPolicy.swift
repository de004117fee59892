import ConvertConcurrency

/// How tracking events are gathered, sent and sent again.
struct DeliveryPolicy: Sendable, Hashable {
    /// From this many events on, what waits is sent without waiting longer; 1 or more.
    var batchSize = 10
    /// How long an event waits for others.
    var releaseInterval = Duration.seconds(1)
    /// The most events in one request; what a long outage gathered goes out in several.
    var requestLimit = SDKConfiguration.requestLimit
    /// The most bytes of events in one request, about; an event that is larger by itself goes alone.
    var requestByteLimit = SDKConfiguration.requestByteLimit
    /// The most events in memory.
    var capacity = 10_000
    /// The most bytes of events in memory, about; an event that is larger by itself is taken while nothing else is
    /// there.
    var byteCapacity = 64 << 20
    /// What gives way beyond that.
    var overflow = SDKConfiguration.QueueOverflow.dropNewest
    /// The waits after failures, unless the endpoint asks for longer ones.
    var backoff = Backoff()
    /// The waits in an outage that does not pass by itself, unless the endpoint asks for longer ones.
    var outageBackoff = Backoff(first: .seconds(60), longest: .seconds(900))
    /// After this many events that were given up one after the other because their bodies were refused, the others
    /// pause, and once more after each further one: an endpoint that refuses everything must not empty the queue in a
    /// moment.
    var refusalLimit = 50
    /// No wait that the endpoint asks for is longer: a wrong header must not silence a process for days.
    var maximumRetryAfter = Duration.seconds(3600)
    /// Events are read from the ledger in portions of this many.
    var readLimit = 500
}
