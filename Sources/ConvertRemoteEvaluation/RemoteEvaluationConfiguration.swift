import ConvertSwiftSDKCore
import ConvertECMAScript

/// How a ``RemoteEvaluation`` answers.
public struct RemoteEvaluationConfiguration: Sendable {
    /// Which evaluations report that the visitor is exposed to the variation.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum ExposureReports: Sendable, Hashable {
        /// Every evaluation stores and reports new decisions, as a call of the SDK does. A request can still switch it
        /// off by the member `convertExposure` of its context.
        case always
        /// Only evaluations of one flag do. Those of all flags leave no trace: a client that fetches all flags at its
        /// start shows few of them.
        case singleFlags
        /// No evaluation does.
        case never
    }

    /// Which evaluations report exposures. The default is ``ExposureReports/always``.
    public var exposureReports = ExposureReports.always

    /// How long an answer waits at most until what it did is stored in the ledger; `nil`, the default, means that answers do
    /// not wait. It has an effect only with a ledger.
    ///
    /// What was answered then survives the end of the process. If the time passes, flags are answered all the same, and a
    /// conversion with 503; both are stored as soon as the ledger takes them.
    public var persistenceTimeout: Duration?

    /// Keys of which a request must present one, as `Authorization: Bearer KEY` or as `X-API-Key: KEY`. Without any key
    /// every request is answered.
    public var accessKeys: [RemoteEvaluationKey] = []

    /// How often each key may be used, or all requests together if there are no keys; `nil` means without a limit.
    public var rateLimit: RateLimit?

    /// Whether the member `convertPreview` of a context shows the visitor a variation that the rules do not give them.
    /// Whoever may send requests may see everything then. The default is `false`: the member has no effect.
    public var allowsPreviews = false

    /// The path in front of `/ofrep/v1`, such as `/flags`; empty by default.
    public var pathPrefix = ""

    /// Whether bulk answers name the stream of config changes. The default is `true`.
    public var offersChanges = true

    /// After how long without an event a stream sends a comment, so that nothing on the way takes it for dead. The
    /// default is 15 seconds; at least 1 second.
    public var keepAliveInterval: Duration = .seconds(15)

    /// The bounds of requests and answers.
    public var limits = Limits()

    /// The defaults.
    public init() {}

    /// How often a key may be used.
    public struct RateLimit: Sendable, Hashable {
        /// Requests a second in the long run.
        public var requestsPerSecond: Double
        /// Requests that may come at once.
        public var burst: Int

        /// A limit.
        ///
        /// - Parameters:
        ///   - requestsPerSecond: requests a second in the long run; one that is not positive and finite means one an
        ///     hour.
        ///   - burst: requests that may come at once; at least 1.
        public init(requestsPerSecond: Double, burst: Int) {
            self.requestsPerSecond = requestsPerSecond
            self.burst = burst
        }
    }

    /// The bounds that keep a hostile request harmless.
    public struct Limits: Sendable, Hashable {
        /// Bytes of a request's body. A longer one is answered with 413. The default is 256 KB.
        public var bodyLength = 262_144
        /// Arrays and objects in one another in a body, at most 512. The default is 32.
        public var depth = 32
        /// Values in a body, arrays and objects and what they hold counted alike. The default is 10,000.
        public var values = 10_000
        /// Bytes of a flag's key, and of a visitor's id. The default is 1,024.
        public var keyLength = 1_024
        /// Bytes of a path with its query. A longer one is answered with 414. The default is 4,096.
        public var pathLength = 4_096
        /// Header fields of a request. More are answered with 431. The default is 100.
        public var headerCount = 100
        /// Bytes of all names and values of a request's header fields. More are answered with 431. The default is 16
        /// KB.
        public var headerLength = 16_384
        /// Flags of a bulk answer. If the config has more, bulk requests are answered with 500. The default is 10,000.
        public var flags = 10_000
        /// Streams of config changes that are open at a time. Further ones are answered with 429. The default is
        /// 10,000.
        public var streams = 10_000

        /// The defaults.
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
