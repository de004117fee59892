import ConvertECMAScript
public import ConvertMonitoring
public import ConvertSwiftSDKCore
import ConvertConcurrency
public import ConvertTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The SDK of one project. A server creates one and uses it for all requests, from any number of threads.
///
///     let sdk = ConvertSDK(sdkKey: "1001/2002", environment: "production")
///     try await sdk.ready()
///     let context = sdk.createContext(visitorID: "visitor-1", attributes: ["plan": "pro"])
///     let variation = context.decide("checkout-button").variation?.variationKey
///     // … and when the server stops:
///     let report = await sdk.shutdown(deadline: .seconds(5))
///
/// It fetches and refreshes its config in the background, queues and delivers tracking events, and keeps the state of
/// visitors. No decision waits for any of this.
public final class ConvertSDK: Sendable {
    /// Whether an SDK communicates with Convert.
    public enum Mode: Sendable, Hashable {
        /// The SDK fetches its config and sends tracking events.
        case online
        /// The SDK neither fetches nor sends. It uses the config that the app passed, or a copy on disk
        /// (``SDKConfiguration/configCopyFile``). A config file is still read again at every refresh. Events are
        /// dropped: they are not counted, and no ledger keeps them.
        case offline
    }

    let engine: SDKEngine
    let bases: ContextBases
    private let readiness: Readiness
    private let refresher: ConfigRefresher
    /// The shutdown task, once `shutdown(deadline:)` has been called.
    private let ending = Mutex<Task<Void, Never>?>(nil)
    private let refreshing: Task<Void, Never>

    /// Creates an SDK that fetches its config. Returns without waiting for the config.
    ///
    /// - Parameters:
    ///   - sdkKey: the project's SDK key, such as `1001/2002`.
    ///   - environment: the environment to fetch and decide in, such as `production`; `nil` means
    ///     ``SDKConfiguration/environment``, which is `staging` by default, as in the JavaScript SDK.
    ///   - secret: the key's secret, if it has one. It is sent with config and tracking requests, and never logged.
    ///   - mode: whether the SDK fetches and sends.
    ///   - configuration: all other settings.
    ///   - transport: sends the SDK's requests.
    public convenience init(
        sdkKey: String, environment: String? = nil, secret: String? = nil, mode: Mode = .online,
        configuration: SDKConfiguration = SDKConfiguration(), transport: any HTTPTransport = SystemTransport()
    ) {
        let configuration = configuration.in(environment)
        let endpoint = ConfigEndpoint(sdkKey: sdkKey, secret: secret, configuration: configuration)
        self.init(
            source: .cdn(endpoint), secret: secret, mode: mode, configuration: configuration, transport: transport)
    }

    /// Creates an SDK with a config as JSON. It is ready at once, and fetches nothing.
    ///
    /// - Parameters:
    ///   - configData: the config.
    ///   - environment: the environment to decide in; `nil` means ``SDKConfiguration/environment``.
    ///   - mode: whether the SDK sends tracking events.
    ///   - configuration: all other settings.
    ///   - transport: sends the SDK's requests.
    /// - Throws: `ConfigError` if the data is not a project config.
    public convenience init(
        configData: Data, environment: String? = nil, mode: Mode = .online,
        configuration: SDKConfiguration = SDKConfiguration(), transport: any HTTPTransport = SystemTransport()
    ) throws(ConfigError) {
        self.init(
            source: .fixed(try ProjectConfig(json: configData), ConfigRevision(of: configData)), mode: mode,
            configuration: configuration.in(environment), transport: transport)
    }

    /// Creates an SDK with a config. It is ready at once, and fetches nothing.
    ///
    /// - Parameters:
    ///   - config: the config.
    ///   - environment: the environment to decide in; `nil` means ``SDKConfiguration/environment``.
    ///   - mode: whether the SDK sends tracking events.
    ///   - configuration: all other settings.
    ///   - transport: sends the SDK's requests.
    public convenience init(
        config: ProjectConfig, environment: String? = nil, mode: Mode = .online,
        configuration: SDKConfiguration = SDKConfiguration(), transport: any HTTPTransport = SystemTransport()
    ) {
        self.init(
            source: .fixed(config), mode: mode, configuration: configuration.in(environment), transport: transport)
    }

    /// Creates an SDK with a config from a file. The file is read again at every refresh, even if the SDK is
    /// ``Mode/offline``.
    ///
    /// - Parameters:
    ///   - configFile: a file URL of a regular file, or a symbolic link to one, of at most
    ///     ``SDKConfiguration/maximumConfigLength`` bytes.
    ///   - environment: the environment to decide in; `nil` means ``SDKConfiguration/environment``.
    ///   - mode: whether the SDK sends tracking events.
    ///   - configuration: all other settings.
    ///   - transport: sends the SDK's requests.
    public convenience init(
        configFile: URL, environment: String? = nil, mode: Mode = .online,
        configuration: SDKConfiguration = SDKConfiguration(), transport: any HTTPTransport = SystemTransport()
    ) {
        self.init(
            source: .file(configFile), mode: mode, configuration: configuration.in(environment), transport: transport)
    }

    init(
        source: ConfigSource, secret: String? = nil, mode: Mode = .online, sink: (any TrackingSink)? = nil,
        configuration: SDKConfiguration, transport: any HTTPTransport, surroundings: Surroundings = Surroundings()
    ) {
        let isOffline = mode == .offline
        let engine = SDKEngine(
            endpoint: source.endpoint, secret: secret, isOffline: isOffline, sink: sink, configuration: configuration,
            transport: transport, surroundings: surroundings)
        let bases = ContextBases(of: engine)
        (self.engine, self.bases, readiness) = (engine, bases, Readiness())
        let refresher = ConfigRefresher(
            source: source, configuration: configuration, isOffline: isOffline, transport: transport,
            surroundings: surroundings,
            surface: ConfigInstallation.Surface(
                replaceSnapshot: { [weak bases] in bases?.replaceSnapshot(with: $0) }, hub: engine.hub, log: engine.log,
                readiness: readiness,
                tracking: { [weak delivery = engine.delivery] in
                    isOffline ? "offline" : delivery?.isAllowed ?? false ? "on" : "off"
                }))
        self.refresher = refresher
        (configuration.ledger as? any ReportSource)?.report { [log = engine.log] in
            log.log($0.isTrouble ? .warn : .info, "ledger.report", $0.message)
        }
        refreshing = Task { await refresher.run() }
        engine.writer?.start()
        engine.delivery.beginTakingOver()
    }

    deinit {
        refreshing.cancel()
        refresher.stop()
        engine.previews?.end()
        engine.hub.finish()
    }

    /// Whether there is a config to decide on.
    public var isReady: Bool { readiness.isReady }

    /// Waits for the first config.
    ///
    /// - Parameter timeout: how long to wait for a successful attempt; `nil` waits until the first attempt has
    ///   succeeded or failed.
    /// - Throws: ``ConvertError`` if there is no config, with the reason of the last failure. The SDK keeps trying, and
    ///   is ready once an attempt succeeds. Before the timeout this throws only if the configuration is invalid, the
    ///   SDK is shut down or the task is cancelled.
    public func ready(timeout: Duration? = nil) async throws(ConvertError) {
        let time = engine.time
        try await readiness.wait(until: timeout.map { time.now + $0 }, by: time)
    }

    /// Fetches the config now instead of at the next refresh, or reads its file again. Does nothing if the app passed
    /// the config as a value.
    ///
    /// A running fetch serves this call too. The fetch continues if the calling task is cancelled.
    /// - Throws: ``ConvertError`` if the fetch fails, the SDK was shut down or the task was cancelled. The current
    ///   config stays in use.
    public func refreshConfig() async throws(ConvertError) { try await refresher.refresh() }

    /// How current the config is. Fetches nothing.
    public var configStatus: ConfigStatus { refresher.status }

    /// Replaces the config: contexts that are created later use `config`, as after a refresh.
    package func install(_ config: ProjectConfig) { refresher.install(config) }

    /// Whether the SDK communicates with Convert.
    public var mode: Mode { engine.isOffline ? .offline : .online }

    /// Whether events are sent. An SDK that is ``Mode/offline`` never sends events.
    public var isTrackingEnabled: Bool { engine.delivery.isAllowed }

    /// Switches tracking on or off. While it is off, no events are sent, except by a request that already runs. Events
    /// wait, up to the limits of ``SDKConfiguration/queueCapacity`` and the ledger, and are sent once tracking is
    /// on again. Decisions do not change.
    public func setTrackingEnabled(_ isEnabled: Bool) { engine.delivery.handle(.allowed(isEnabled)) }

    /// Calls `handler` for every event until the subscription is cancelled or the SDK is shut down.
    ///
    /// `handler` is called on the thread that causes the event, even during a decision, so it must be short. If the SDK
    /// is already ready, `handler` receives ``SDKEvent/ready`` immediately.
    @discardableResult
    public func onEvent(_ handler: @escaping @Sendable (SDKEvent) -> Void) -> ConvertSDK.Subscription {
        engine.hub.subscribe(handler)
    }

    /// Returns the events from now on, as a stream that ends with the SDK's shutdown.
    ///
    /// - Parameter limit: how many events wait for a slow reader, 1 or more; beyond that, the oldest are dropped.
    public func events(bufferingNewest limit: Int = 1000) -> AsyncStream<SDKEvent> { engine.hub.stream(limit: limit) }

    /// The number of tracking events by state: delivered, waiting, rejected.
    public var deliveryCounts: DeliveryCounts { engine.delivery.counts }

    /// Why tracking events wait; `nil` if the endpoint accepted the last ones.
    ///
    /// Use it in health checks: `DeliveryOutage.cause` shows problems that do not end by themselves, such as a refused
    /// secret or a wrong address. If events of several SDK keys or projects wait, this is the outage of the most
    /// recently tracked event's destination, or else the longest one.
    public var deliveryOutage: DeliveryOutage? { engine.delivery.outage }

    /// The number of lines of the decision log by state: written, waiting, lost.
    public var decisionLogCounts: DecisionLogCounts { engine.decisionLog?.counts ?? DecisionLogCounts() }

    /// The state of the ledger; `nil` without a ledger.
    public var ledgerStatus: LedgerStatus? { engine.writer?.status }

    /// Stores everything that waits for the ledger and the decision log, and sends all waiting events at once, except
    /// during a pause that the endpoint asked for.
    ///
    /// Returns when all of that is done or has failed. Waits for visitors' records that are being loaded, and for
    /// conversions that wait for them. Loads, commits and log lines have a limit of 10 seconds each; requests have
    /// ``SDKConfiguration/requestTimeout``.
    /// - Returns: the counts afterwards; events that could not be sent are still queued.
    @discardableResult
    public func flush() async -> DeliveryCounts {
        async let lines: Void? = engine.decisionLog?.flush(until: engine.time.now + .seconds(10))
        let loadsEnd = engine.time.now + LedgerWriter.callTimeout
        await engine.records.loader?.waitForLoads(until: loadsEnd)
        if !PlantedFault.isPlanted("flush-skips-what-is-deferred") {
            await engine.records.deferrals.wait(until: loadsEnd, by: engine.time)
        }
        await engine.writer?.flush(until: engine.time.now + LedgerWriter.callTimeout)
        await engine.delivery.flush()
        _ = await lines
        return engine.delivery.counts
    }

    /// Forgets a visitor in memory, in the ledger, and among the changes and events that wait. Existing contexts of the
    /// visitor then have no state, like contexts of a new visitor.
    ///
    /// Events that were already sent stay at Convert, and written lines of the decision log stay in its file.
    /// - Parameters:
    ///   - visitorID: the visitor's id.
    ///   - timeout: how long to wait for the ledger.
    /// - Throws: ``ConvertError``: `notReady` if there is no config yet, `notStored` if the ledger has not forgotten
    ///   the visitor in time. In that case the SDK retries until its shutdown, and also removes what the visitor does
    ///   until then.
    public func forget(visitorID: String, timeout: Duration = .seconds(10)) async throws(ConvertError) {
        guard let snapshot = bases.current.snapshot else {
            throw ConvertError(code: .notReady, message: "there is no config yet; wait for ready().")
        }
        let key = snapshot.visitorKey(visitorID)
        engine.decisionLog?.forget(visitorID)
        let isOfVisitor: @Sendable (QueuedEvent) -> Bool = { [destination = snapshot.destination] event in
            // A ledger may have events from before an SDK key was replaced.
            event.visitorID.hasSameCodeUnits(as: visitorID) && event.destination.accountID == destination.accountID
                && event.destination.projectID == destination.projectID
        }
        guard let writer = engine.writer else {
            engine.records.record(key)?.forget()
            engine.delivery.handle(.forgotten(ForgottenVisitor(lastID: nil, isOfVisitor)))
            return
        }
        try await writer.forget(engine.records.made(key), until: engine.time.now + timeout, isOfVisitor)
    }

    /// Ends the SDK: stops refreshing, stores and sends everything that waits, with retries, and closes the ledger.
    /// Finishes writing a copy of the config.
    ///
    /// Returns at the deadline at the latest. Returns earlier if everything is done, or if nothing can be sent before
    /// the deadline; a failing ledger is retried until the deadline. Cancelling the calling task does not shorten the
    /// wait. Afterwards contexts still decide. Their events are rejected as `RejectionReason.shutDown`, and their
    /// decisions are not stored, so that a later process makes and reports them. A further call waits for the first
    /// call to end, until its own deadline.
    /// - Parameter deadline: the maximum duration.
    /// - Returns: what could not be delivered or stored, and the events that were rejected since the SDK was created.
    @discardableResult
    public func shutdown(deadline: Duration = .seconds(10)) async -> ShutdownReport {
        refreshing.cancel()
        refresher.stop()
        engine.previews?.end()
        let end = engine.time.now + max(.zero, deadline)
        let (ending, isFirst) = ending.withLock { [engine, refresher] ending in
            if let ending { return (ending, false) }
            // In its own task: services shut down in cancelled tasks, in which nothing can be waited for.
            let task = Task {
                await engine.shutDown(until: end)
                // The copy of the config may be half written.
                try? await withDeadline(end - engine.time.now, by: engine.time) { await refresher.finish() }
            }
            ending = task
            return (task, true)
        }
        if isFirst {
            await ending.value
        } else {
            await Task { [engine] in
                try? await withDeadline(end - engine.time.now, by: engine.time) { await ending.value }
            }.value
        }
        return ShutdownReport(
            events: engine.delivery.counts, unstoredEntries: engine.writer?.unstoredCount ?? 0,
            areEventsStored: engine.delivery.isStored)
    }
}
