import ConvertSwiftSDKCore
import ConvertECMAScript

/// The configuration of a ``RemoteEvaluation``.
public struct RemoteEvaluationConfiguration: Sendable {
    /// Which evaluations report that the visitor is exposed to the variation.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ExposureReports: Sendable, Hashable {
        /// Every evaluation stores and reports new decisions, like a call of the SDK. A request can switch it off with
        /// the member `convertExposure` of its context.
        case always
        /// Only evaluations of a single flag report exposures. Evaluations of all flags have no effects, because a
        /// client that fetches all flags at its start shows only a few of them.
        case singleFlags
        /// No evaluation reports exposures.
        case never
    }

    /// Which evaluations report exposures. The default is ``ExposureReports/always``.
    public var exposureReports = ExposureReports.always

    /// The time that a response waits at most until its decisions and conversions are stored in the ledger; `nil`, the
    /// default, means that responses do not wait. It has no effect without a ledger.
    ///
    /// Stored decisions and conversions survive the end of the process. If the time passes, flags are answered all the
    /// same, and a conversion with 503. Both are stored as soon as the ledger takes them. With zero or a negative time,
    /// a conversion is answered with 503 unless it is stored already.
    public var persistenceTimeout: Duration?

    /// The time that a response about flags waits at most, if it is shorter than ``persistenceTimeout``. The default is
    /// 500 milliseconds, because clients give up after a few seconds.
    ///
    /// Responses about flags do not wait while the ledger fails, and requests that report nothing never wait.
    public var flagPersistenceTimeout: Duration = .milliseconds(500)

    /// The access keys. A request must present one of them, as `Authorization: Bearer KEY` or as `X-API-Key: KEY`. If
    /// there are no keys, every request is served. If two keys have the same secret, the last one counts.
    public var accessKeys: [RemoteEvaluationKey] = []

    /// The rate limit of each key, or of all requests together if there are no keys; `nil` means no limit.
    ///
    /// Every request with an accepted key counts, whatever its response is, unless its path or header fields exceed the
    /// limits.
    public var rateLimit: RateLimit?

    /// Whether the member `convertPreview` of a context shows the visitor a variation regardless of the rules. If it is
    /// `true`, every client with access can see all variations. The default is `false`: the member has no effect.
    public var allowsPreviews = false

    /// The path before `/ofrep/v1`, such as `/flags`; empty by default. Slashes at its ends make no difference.
    public var pathPrefix = ""

    /// Whether bulk answers contain the location of the stream of config changes. The default is `true`.
    public var offersChanges = true

    /// The interval at which every stream sends a comment, so that proxies do not close the connection. One timer
    /// serves all streams. The default is 15 seconds; the minimum is 1 second.
    public var keepAliveInterval: Duration = .seconds(15)

    /// The limits of requests and responses.
    public var limits = Limits()

    /// Creates a default configuration.
    public init() {}

    /// The rate limit of a key.
    public struct RateLimit: Sendable, Hashable {
        /// Requests per second in the long run.
        public var requestsPerSecond: Double
        /// Requests that may arrive at once.
        public var burst: Int

        /// Creates a limit.
        ///
        /// - Parameters:
        ///   - requestsPerSecond: requests per second in the long run. A positive value below 1 / 86,400 means one
        ///     request per day, and a value that is not positive and finite means one request per hour.
        ///   - burst: requests that may arrive at once; at least 1.
        public init(requestsPerSecond: Double, burst: Int) {
            self.requestsPerSecond = requestsPerSecond
            self.burst = burst
        }
    }

    /// The limits that make a hostile request harmless.
    public struct Limits: Sendable, Hashable {
        /// Bytes of a request's body. A longer body is answered with 413. The default is 256 KB.
        public var bodyLength = 262_144
        /// Nesting depth of arrays and objects in a body, at most 512. The default is 32.
        public var depth = 32
        /// Values in a body; arrays, objects and their contents all count. The default is 10,000.
        public var values = 10_000
        /// Bytes of a flag's or goal's key, and of a visitor's id. The default is 1,024.
        public var keyLength = 1_024
        /// Bytes of a path with its query. A longer one is answered with 414. The default is 4,096.
        public var pathLength = 4_096
        /// Header fields of a request. A request with more is answered with 431. The default is 100.
        public var headerCount = 100
        /// Total bytes of the names and values of a request's header fields. A request with more is answered with 431.
        /// The default is 16 KB.
        public var headerLength = 16_384
        /// Flags of a bulk answer. If the config has more, bulk requests are answered with 500. The default is 10,000.
        public var flags = 10_000
        /// Open streams of config changes. Further requests for a stream are answered with 429. The default is 10,000.
        public var streams = 10_000

        /// Creates the default limits.
        public init() {}

        var json: JSONLimits {
            var limits = JSONLimits()
            limits.length = bodyLength
            limits.depth = min(max(1, depth), ConfigLimits.depth)
            limits.values = values
            limits.names = values
            return limits
        }
    }
}
