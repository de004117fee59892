import ConvertConcurrency

/// How tracking events are batched, sent and retried.
struct DeliveryPolicy: Sendable, Hashable {
    // The settings of the SDK, within their bounds.
    var batchSize: Int
    var releaseInterval: Duration
    var capacity: Int
    var byteCapacity: Int
    var overflow: SDKConfiguration.QueueOverflow
    /// The maximum number of events in one request. After a long outage, events are sent in several requests.
    var requestLimit = SDKConfiguration.requestLimit
    /// The approximate maximum of bytes of events in one request; a larger event is sent alone.
    var requestByteLimit = SDKConfiguration.requestByteLimit
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

    init(_ configuration: SDKConfiguration = SDKConfiguration()) {
        batchSize = max(1, configuration.batchSize)
        releaseInterval = max(.zero, configuration.releaseInterval)
        capacity = max(1, configuration.queueCapacity)
        byteCapacity = max(1, configuration.queueByteCapacity)
        overflow = configuration.queueOverflow
    }
}
