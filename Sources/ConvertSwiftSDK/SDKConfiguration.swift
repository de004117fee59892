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

/// The settings of an SDK. Each has the JavaScript SDK's default unless its documentation says otherwise.
public struct SDKConfiguration: Sendable {
    /// How fresh the CDN's config must be.
    public enum CacheLevel: String, Sendable, Hashable {
        /// The CDN's own caching.
        case standard = "default"
        /// Little caching, for tests.
        case low
    }

    /// Which event is rejected when the queue is full.
    public enum QueueOverflow: Sendable, Hashable {
        /// The new event.
        case dropNewest
        /// The oldest waiting event.
        case dropOldest
    }

    /// The CDN's address.
    static let defaultConfigEndpoint = "https://cdn-4.convertexperiments.com/api/v1/"

    /// The metrics host's address; `[project_id]` is replaced by the project's id.
    static let defaultTrackEndpoint = "https://[project_id].metrics.convertexperiments.com/v1/"

    /// The environment to fetch and to decide in. Experiences that name an environment run only in that environment. An
    /// environment passed to the SDK's initializer takes precedence.
    public var environment = ProjectConfig.defaultEnvironment

    /// The endpoint for configs: the URL without `config/…`.
    public var configEndpoint = Self.defaultConfigEndpoint

    /// The endpoint for events: the URL without `track/…`.
    public var trackEndpoint = Self.defaultTrackEndpoint

    /// Whether the endpoints may be `http` URLs of other machines, which exposes secrets and visitors' data on the
    /// network. `https`, and `http` to this machine, are always allowed.
    public var allowsPlainHTTP = false

    /// How to evaluate rules where the documents and the JavaScript SDK disagree.
    public var semantics = RuleSemantics.standard

    /// Whether attribute names are case-sensitive. Has no effect under `RuleSemantics.javaScript`.
    public var keysAreCaseSensitive = true

    /// The settings for bucketing visitors.
    public var bucketing = BucketingOptions()

    /// The minimum of ``refreshInterval``, so that a value in the wrong unit does not overload the CDN.
    public static let leastRefreshInterval = Duration.seconds(1)

    /// The time between a fetch of the config and the next one, varied by up to a tenth. Positive values below
    /// ``leastRefreshInterval`` become ``leastRefreshInterval``. Zero or less means that the config is not refreshed.
    public var refreshInterval = Duration.seconds(300)

    /// How fresh the CDN's config must be.
    public var cacheLevel = CacheLevel.standard

    /// The secret with which the CDN serves drafts to testers. With it, the SDK requests little caching and keeps no
    /// copy on disk. It is sent only with config requests, and never logged.
    public var debugToken: String?

    /// The file URL of a file that keeps the last good config, so that the SDK can start without a network; `nil` for
    /// no file. It contains the config, its address without user and password, the SDK key and the environment, but no
    /// secret. Only its owner can read it. Several processes of one user can share it.
    public var configCopyFile: URL?

    /// The time limit of one request.
    public var requestTimeout = Duration.seconds(10)

    /// The maximum length of a config in bytes, after decompression.
    public var maximumConfigLength = 64 << 20

    /// Whether events are sent; ``ConvertSDK/setTrackingEnabled(_:)`` changes it later. While it is `false`, events
    /// wait, up to the limits of ``queueCapacity`` and the ledger, and are sent once tracking is on. They are not
    /// dropped, because their decisions are stored and would never be reported otherwise.
    public var isTrackingEnabled = true

    /// The maximum number of events in one request. After a long outage, events are sent in several requests.
    public static let requestLimit = 500

    /// The approximate maximum of bytes of events in one request. A larger event is sent alone. If the endpoint refuses
    /// a request's body (400, 413, 422), its events are sent again in halves; only an event that is refused alone is
    /// rejected.
    public static let requestByteLimit = 512 << 10

    /// The number of waiting events from which they are sent at once. Values below 1 become 1.
    public var batchSize = 10

    /// How long the first waiting event waits for others. Negative values become 0.
    public var releaseInterval = Duration.seconds(1)

    /// The maximum number of events that wait in memory, and of calls that wait for the ledger. A value below 1 counts
    /// as 1. With a ledger, half of it is reserved for events that are sent without the ledger; the ledger keeps all
    /// events that do not fit into the other half.
    public var queueCapacity = 10_000

    /// The approximate maximum of bytes of events that wait in memory: custom values can make events large. Values
    /// below 1 become 1. A single larger event is accepted only if no others wait. With a ledger, the ledger keeps the
    /// events that do not fit into half of this maximum.
    public var queueByteCapacity = 64 << 20

    /// Which event is rejected when the queue is full, by number or by bytes. Events that a ledger has are never
    /// rejected for lack of room.
    public var queueOverflow = QueueOverflow.dropNewest

    /// The value of the events' member `source`. The JavaScript SDK's default is `js-sdk`.
    public var source = "swift-sdk"

    /// Keeps the state of visitors, and tracking events until they are delivered; `nil` keeps both in memory. With a
    /// ledger, tracking requests tell the endpoint not to enrich events (`enrichData`), as the JavaScript SDK does with
    /// a data store.
    public var ledger: (any Ledger)?

    /// How long the ledger may fail before events are sent without it. Until then, events wait for the ledger, so that
    /// a goal that another process counted is not reported twice. An event that was sent is not sent again; its changes
    /// are stored once the ledger works.
    public var ledgerPatience = Duration.seconds(30)

    /// The approximate maximum number of visitors in memory, with or without a ledger. Values below 1 become 1. The
    /// least recently used visitors are removed first. A visitor stays while a context of the visitor exists or the
    /// ledger has not confirmed the visitor's changes. From 1,024 on, the visitors are divided among sixteen tables of
    /// equal capacity, so some may be removed slightly before the maximum is reached.
    public var visitorCapacity = 10_000

    /// The maximum number of visitors' records that are being read from the ledger. Values below 1 become 1. A call of
    /// `Ledger.visitor(_:)` that never returns counts forever. Above the maximum, visitors are decided without their
    /// stored state, and a warning is logged.
    public var loadLimit = 10_000

    /// How long `ConvertSDK.loadContext(visitorID:attributes:locationProperties:)` waits for the ledger.
    public var loadTimeout = Duration.seconds(1)

    /// Changes the body of tracking requests before it is sent; `nil` leaves it unchanged. Called on any thread; it
    /// must not block.
    public var trackingBodyMapper: (@Sendable (JSObject) -> JSObject)?

    /// Observes each call for an experience or a feature, before and after its answer; `nil` costs nothing.
    public var evaluationHook: (any EvaluationHook)?

    /// Logs the answers that visitors receive; `nil` logs nothing and costs nothing.
    public var decisionLog: DecisionLog?

    /// Receives the SDK's messages. The default writes them to standard error.
    public var logger: any ConvertLogger = StandardErrorLogger()

    /// The minimum level of messages that are logged. The JavaScript SDK logs all by default.
    public var logLevel = ConvertLogLevel.warn

    /// Creates a configuration with the default settings.
    public init() {}

    /// The same configuration for another environment; unchanged for `nil`.
    func `in`(_ environment: String?) -> SDKConfiguration {
        var configuration = self
        if let environment { configuration.environment = environment }
        return configuration
    }

    /// The same configuration for an app's tests: without ledger, config copy and decision log.
    var withoutStorage: SDKConfiguration {
        var configuration = self
        configuration.ledger = nil
        configuration.configCopyFile = nil
        configuration.decisionLog = nil
        return configuration
    }

    /// Whether requests may be sent to `url`.
    func allows(_ url: URL) -> Bool { allowsPlainHTTP || url.isPrivate }

    var compilation: CompilationOptions {
        CompilationOptions(semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive, bucketing: bucketing)
    }
}
