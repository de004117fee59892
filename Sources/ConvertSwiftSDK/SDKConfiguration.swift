public import ConvertLedgers
public import ConvertECMAScript
public import ConvertMonitoring
public import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How an SDK works; every member has the JavaScript SDK's default unless it says otherwise.
public struct SDKConfiguration: Sendable {
    /// How fresh a config the CDN is asked for.
    public enum CacheLevel: String, Sendable, Hashable {
        /// The CDN's own caching.
        case standard = "default"
        /// Little caching, for tests.
        case low
    }

    /// What gives way when the event queue is full.
    public enum QueueOverflow: Sendable, Hashable {
        /// The event that comes is given up.
        case dropNewest
        /// The event that waits the longest is given up.
        case dropOldest
    }

    /// The CDN's address.
    static let defaultConfigEndpoint = "https://cdn-4.convertexperiments.com/api/v1/"

    /// The metrics host's address; `[project_id]` stands for the project's id.
    static let defaultTrackEndpoint = "https://[project_id].metrics.convertexperiments.com/v1/"

    /// The environment that is fetched, and in which experiences must run if they name one. The one that is given where
    /// the SDK is made counts instead.
    public var environment = "staging"

    /// Where configs are fetched: a URL up to and without `config/…`.
    public var configEndpoint = Self.defaultConfigEndpoint

    /// Where events are sent: a URL up to and without `track/…`.
    public var trackEndpoint = Self.defaultTrackEndpoint

    /// Whether the endpoints may be `http` URLs of other machines. Secrets and visitors' data would travel in the
    /// clear; `https`, and `http` on this machine, always work.
    public var allowsPlainHTTP = false

    /// The answers to the open questions of rule evaluation.
    public var semantics = RuleSemantics.standard

    /// Whether attribute names count their case; without effect under `RuleSemantics.javaScript`.
    public var keysAreCaseSensitive = true

    /// How visitors are hashed.
    public var bucketing = BucketingOptions()

    /// The shortest ``refreshInterval``, so that a value in the wrong unit does not hammer the CDN.
    public static let leastRefreshInterval = Duration.seconds(1)

    /// How long after a fetch the config is fetched again, give or take a tenth: ``leastRefreshInterval`` or more; a
    /// shorter one counts as that. Zero or less means never.
    public var refreshInterval = Duration.seconds(300)

    /// How fresh a config the CDN is asked for.
    public var cacheLevel = CacheLevel.standard

    /// The secret that makes the CDN serve drafts to testers. With it little caching is asked for and no copy is kept
    /// on disk. It is sent with config requests only, and never logged.
    public var debugToken: String?

    /// The file URL of a file that keeps the last good config, so that a start without network decides too; `nil` for
    /// no file. It holds the config, its address without user and password, the SDK key and the environment, and no
    /// secret; only its owner may read it. Several processes of one user may share it.
    public var configCopyFile: URL?

    /// How long one request may take.
    public var requestTimeout = Duration.seconds(10)

    /// The longest config that is taken, decompressed, in bytes.
    public var maximumConfigLength = 64 << 20

    /// Whether events are sent; can be changed later by ``ConvertSDK/setTrackingEnabled(_:)``. While they are not, they
    /// wait, as many as ``queueCapacity`` and a ledger hold, and are sent once tracking is on: what was decided
    /// meanwhile is stored, and would never be reported otherwise.
    public var isTrackingEnabled = true

    /// The most events in one request. What a long outage gathered goes out in several.
    public static let requestLimit = 500

    /// About the most bytes of events in one request. An event that is larger by itself goes alone. An endpoint that
    /// refuses a request's body (400, 413, 422) gets its events in halves; only an event that it refuses by itself is
    /// given up.
    public static let requestByteLimit = 512 << 10

    /// From this many events on, what waits is sent at once; 1 or more.
    public var batchSize = 10

    /// How long an event waits for others.
    public var releaseInterval = Duration.seconds(1)

    /// The most events that wait in memory, and the most calls that wait for the ledger; 1 or more. A ledger holds what
    /// goes beyond half of them: the rest is kept free for events that go out without it.
    public var queueCapacity = 10_000

    /// About how many bytes of events wait in memory, 1 or more: custom values can make events large. A single event
    /// that is larger is taken only while nothing else waits. A ledger holds what goes beyond half of it.
    public var queueByteCapacity = 64 << 20

    /// What gives way when the queue is full, in events or in bytes. What a ledger has never does.
    public var queueOverflow = QueueOverflow.dropNewest

    /// What the events say they come from. The JavaScript SDK's default is `js-sdk`.
    public var source = "swift-sdk"

    /// Keeps what is known about visitors, and tracking events until they are delivered; `nil` keeps both in memory.
    /// With a ledger, events say that the endpoint need not enrich them (`enrichData`), as in the JavaScript SDK with a
    /// data store.
    public var ledger: (any Ledger)?

    /// How long the ledger may fail before events go out without it. Until then an event waits for the ledger, so that
    /// a goal which another process counted is not reported twice. An event that went out is not sent again; what it
    /// reports is stored once the ledger is well.
    public var ledgerPatience = Duration.seconds(30)

    /// About how many visitors are kept in memory, before the ledger or without one; 1 or more. The least recently used
    /// ones leave first. From 1,024 on they lie in sixteen parts, each of which has room for its share: the first
    /// visitors leave a little before all parts are full. A visitor of whom there is a context stays, as does one whose
    /// changes are not in the ledger yet.
    public var visitorCapacity = 10_000

    /// How many visitors' records may be read from the ledger at once, 1 or more; a call of `Ledger.visitor(_:)` that
    /// never returns counts for ever. Visitors beyond it are decided without what is stored of them, and a warning says
    /// so.
    public var loadLimit = 10_000

    /// How long `ConvertSDK.loadContext(visitorID:attributes:locationProperties:)` waits for the ledger.
    public var loadTimeout = Duration.seconds(1)

    /// Rewrites the body of tracking requests before it is sent; `nil` leaves it as it is. It must not block.
    public var trackingBodyMapper: (@Sendable (JSObject) -> JSObject)?

    /// Sees every question for an experience or a feature, before and after it is answered; `nil` costs nothing.
    public var evaluationHook: (any EvaluationHook)?

    /// Writes what visitors are answered, for later inquiries; `nil` writes nothing, and costs nothing.
    public var decisionLog: DecisionLog?

    /// Where messages go.
    public var logger: any ConvertLogger = StandardErrorLogger()

    /// The least level of messages that are logged. The JavaScript SDK logs all by default.
    public var logLevel = ConvertLogLevel.warn

    /// The defaults.
    public init() {}

    /// The same in another environment; `nil` changes nothing.
    func `in`(_ environment: String?) -> SDKConfiguration {
        var configuration = self
        if let environment { configuration.environment = environment }
        return configuration
    }

    /// The same for an app's tests: nothing is kept or written beside what the logger takes.
    var withoutStorage: SDKConfiguration {
        var configuration = self
        configuration.ledger = nil
        configuration.configCopyFile = nil
        configuration.decisionLog = nil
        return configuration
    }

    /// Whether requests may go to `url`.
    func allows(_ url: URL) -> Bool { allowsPlainHTTP || url.isPrivate }

    var compilation: CompilationOptions {
        CompilationOptions(semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive, bucketing: bucketing)
    }

    var deliveryPolicy: DeliveryPolicy {
        var policy = DeliveryPolicy()
        policy.batchSize = max(1, batchSize)
        policy.releaseInterval = max(.zero, releaseInterval)
        policy.capacity = max(1, queueCapacity)
        policy.byteCapacity = max(1, queueByteCapacity)
        policy.overflow = queueOverflow
        return policy
    }
}
