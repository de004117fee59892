import ConvertConcurrency

/// How tracking events are batched, sent and retried.
struct DeliveryPolicy: Sendable, Hashable {
    /// The number of waiting events from which they are sent at once; 1 or more.
    var batchSize = 10
    /// How long the first waiting event waits for others.
    var releaseInterval = Duration.seconds(1)
    /// The maximum number of events in one request. After a long outage, events are sent in several requests.
    var requestLimit = SDKConfiguration.requestLimit
    /// The approximate maximum of bytes of events in one request; a larger event is sent alone.
    var requestByteLimit = SDKConfiguration.requestByteLimit
    /// The maximum number of events in memory.
    var capacity = 10_000
    /// The approximate maximum of bytes of events in memory. A larger event is accepted only if there are no others.
    var byteCapacity = 64 << 20
    /// Which events are dropped above these limits.
    var overflow = SDKConfiguration.QueueOverflow.dropNewest
    /// The waits after failures, unless the endpoint asks for longer ones.
    var backoff = Backoff()
    /// The waits in an outage that does not end by itself, unless the endpoint asks for longer ones.
    var outageBackoff = Backoff(first: .seconds(60), longest: .seconds(900))
    /// The number of successive events with refused bodies after which a destination pauses. It pauses again after each
    /// further one: an endpoint that refuses everything must not empty the queue within moments.
    var refusalLimit = 50
    /// The maximum wait that the endpoint can ask for: a wrong header must not silence a process for days.
    var maximumRetryAfter = Duration.seconds(3600)
    /// The maximum number of events in one read of the ledger.
    var readLimit = 500
}
