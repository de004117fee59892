import ConvertECMAScript
import ConvertLedgers
public import ConvertMonitoring
public import ConvertSwiftSDKCore
import ConvertConcurrency
public import ConvertTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The SDK of one project. A server makes one and serves all requests with it, from any number of threads.
///
///     let sdk = ConvertSDK(sdkKey: "1001/2002", environment: "production")
///     try await sdk.ready()
///     let context = sdk.createContext(visitorID: "visitor-1", attributes: ["plan": "pro"])
///     let variation = context.decide("checkout-button").variation?.variationKey
///     // … and when the server stops:
///     let report = await sdk.shutdown(deadline: .seconds(5))
///
/// It fetches its config in the background and refreshes it, queues tracking events and delivers them, and remembers
/// visitors. Nothing of that ever makes a decision wait.
public final class ConvertSDK: Sendable {
    /// Whether an SDK talks to Convert.
    public enum Mode: Sendable, Hashable {
        /// It fetches its config and sends tracking events.
        case online
        /// It neither fetches nor sends. It decides on the config it was given, or on a copy on disk
        /// (``SDKConfiguration/configCopyFile``). A config file is read again at every refresh all the same. What it
        /// would track is left out: it is not counted, and no ledger keeps it.
        case offline
    }

    let engine: SDKEngine
    let bases: ContextBases
    private let readiness: Readiness
    private let refresher: ConfigRefresher
    /// What ends the SDK, once it was told to.
    private let ending = Mutex<Task<Void, Never>?>(nil)
    private let refreshing: Task<Void, Never>

    /// An SDK that fetches its config.
    ///
    /// - Parameters:
    ///   - sdkKey: the project's SDK key, such as `1001/2002`.
    ///   - environment: the environment that is fetched and decided in, such as `production`; `nil` means
    ///     ``SDKConfiguration/environment``, which is `staging` as in the JavaScript SDK.
    ///   - secret: the key's secret, if it has one. It is sent with config and tracking requests, and never logged.
    ///   - mode: whether it fetches and sends.
    ///   - configuration: how it works.
    ///   - transport: what sends its requests.
    public convenience init(
        sdkKey: String, environment: String? = nil, secret: String? = nil, mode: Mode = .online,
        configuration: SDKConfiguration = SDKConfiguration(), transport: any HTTPTransport = SystemTransport()
    ) {
        let configuration = configuration.in(environment)
        let endpoint = ConfigEndpoint(sdkKey: sdkKey, secret: secret, configuration: configuration)
        self.init(
            source: .cdn(endpoint), secret: secret, mode: mode, configuration: configuration, transport: transport,
            surroundings: Surroundings())
    }

    /// An SDK with a config that the app has as JSON. It is ready at once, and nothing is fetched.
    ///
    /// - Parameters:
    ///   - configData: the config.
    ///   - environment: the environment that is decided in; `nil` means ``SDKConfiguration/environment``.
    ///   - mode: whether it sends tracking events.
    ///   - configuration: how it works.
    ///   - transport: what sends its requests.
    /// - Throws: `ConfigError` if the bytes are no project config.
    public convenience init(
        configData: Data, environment: String? = nil, mode: Mode = .online,
        configuration: SDKConfiguration = SDKConfiguration(), transport: any HTTPTransport = SystemTransport()
    ) throws(ConfigError) {
        self.init(
            source: .fixed(try ProjectConfig(json: configData), ConfigRevision(of: configData)), secret: nil,
            mode: mode,
            configuration: configuration.in(environment), transport: transport, surroundings: Surroundings())
    }

    /// An SDK with a config that the app has. It is ready at once, and nothing is fetched.
    ///
    /// - Parameters:
    ///   - config: the config.
    ///   - environment: the environment that is decided in; `nil` means ``SDKConfiguration/environment``.
    ///   - mode: whether it sends tracking events.
    ///   - configuration: how it works.
    ///   - transport: what sends its requests.
    public convenience init(
        config: ProjectConfig, environment: String? = nil, mode: Mode = .online,
        configuration: SDKConfiguration = SDKConfiguration(), transport: any HTTPTransport = SystemTransport()
    ) {
        self.init(
            source: .fixed(config), secret: nil, mode: mode, configuration: configuration.in(environment),
            transport: transport, surroundings: Surroundings())
    }

    /// An SDK with a config from a file, which is read again at every refresh, also by one that is ``Mode/offline``.
    ///
    /// - Parameters:
    ///   - configFile: a file URL of a regular file, or a symbolic link to one, of at most
    ///     ``SDKConfiguration/maximumConfigLength`` bytes.
    ///   - environment: the environment that is decided in; `nil` means ``SDKConfiguration/environment``.
    ///   - mode: whether it sends tracking events.
    ///   - configuration: how it works.
    ///   - transport: what sends its requests.
    public convenience init(
        configFile: URL, environment: String? = nil, mode: Mode = .online,
        configuration: SDKConfiguration = SDKConfiguration(), transport: any HTTPTransport = SystemTransport()
    ) {
        self.init(
            source: .file(configFile), secret: nil, mode: mode, configuration: configuration.in(environment),
            transport: transport, surroundings: Surroundings())
    }

    init(
        source configSource: ConfigSource, secret: String?, mode: Mode = .online, sink: (any TrackingSink)? = nil,
        configuration: SDKConfiguration, transport: any HTTPTransport, surroundings: Surroundings
    ) {
        let isOffline = mode == .offline
        let ledger = configuration.ledger
        let hub = EventHub()
        let log = Diagnostics(
            logger: configuration.logger, level: configuration.logLevel, time: surroundings.time)
        let delivery = EventDelivery(
            endpoint: TrackingEndpoint(
                address: configuration.trackEndpoint, secret: secret, source: configuration.source,
                enrichesData: ledger == nil, timeout: configuration.requestTimeout,
                allows: configuration.allows, mapBody: configuration.trackingBodyMapper),
            policy: configuration.deliveryPolicy, transport: transport, ledger: isOffline ? nil : ledger,
            surroundings: surroundings, log: log, hub: hub)
        let writer = ledger.map { ledger in
            LedgerWriter(
                ledger, capacity: configuration.queueCapacity, patience: configuration.ledgerPatience,
                surroundings: surroundings, log: log, hub: hub, delivery: delivery)
        }
        let records = VisitorRecords(
            capacity: configuration.visitorCapacity, deferralLimit: max(1, configuration.queueCapacity),
            loader: ledger.map {
                VisitorLoader($0, limit: configuration.loadLimit, time: surroundings.time, log: log)
            })
        engine = SDKEngine(
            configuration: configuration, isOffline: isOffline, sink: sink, hub: hub, log: log, delivery: delivery,
            records: records, writer: writer,
            previews: isOffline
                ? nil
                : configSource.endpoint.map {
                    PreviewLoader(endpoint: $0, transport: transport, time: surroundings.time)
                }, time: surroundings.time)
        let bases = ContextBases(of: engine)
        self.bases = bases
        readiness = Readiness()
        if !configuration.isTrackingEnabled { delivery.handle(.allowed(false)) }
        let refresher = ConfigRefresher(
            source: configSource, configuration: configuration, isOffline: isOffline, transport: transport,
            surroundings: surroundings,
            surface: ConfigInstallation.Surface(
                replaceSnapshot: { [weak bases] in bases?.replaceSnapshot(with: $0) }, hub: hub, log: log,
                readiness: readiness,
                tracking: { [weak delivery] in
                    isOffline ? "offline" : delivery?.isAllowed ?? false ? "on" : "off"
                }))
        self.refresher = refresher
        (ledger as? any ReportSource)?.report { log.log($0.isTrouble ? .warn : .info, "ledger.report", $0.message) }
        refreshing = Task { await refresher.run() }
        writer?.start()
        delivery.beginTakingOver()
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
    /// - Parameter timeout: how long to wait for an attempt that succeeds; `nil` waits for the first attempt to succeed
    ///   or fail.
    /// - Throws: ``ConvertError`` without a config; it says why the last attempt failed. The SDK goes on trying, and is
    ///   ready as soon as one attempt succeeds. Before the timeout it throws only if the configuration is invalid, the
    ///   SDK is shut down or the task is cancelled.
    public func ready(timeout: Duration? = nil) async throws(ConvertError) {
        let time = engine.time
        try await readiness.wait(until: timeout.map { time.now + $0 }, by: time)
    }

    /// Fetches the config now instead of at its interval, or reads its file again. With a config that the app gave as a
    /// value nothing happens.
    ///
    /// A fetch that is under way serves this call too. It goes on if the calling task is cancelled.
    /// - Throws: ``ConvertError`` if there is no new one, the SDK was shut down or the task was cancelled; what there
    ///   was stays in use.
    public func refreshConfig() async throws(ConvertError) {
        do {
            try await refresher.refresh()
        } catch let error as ConvertError {
            throw error
        } catch {
            throw ConvertError(code: .notReady, message: "the task was cancelled; the fetch goes on.")
        }
    }

    /// How current the config is. Nothing is fetched for it.
    public var configStatus: ConfigStatus { refresher.status }

    /// Lets later contexts decide on `config`, as a refresh does.
    package func install(_ config: ProjectConfig) { refresher.install(config) }

    /// Whether the SDK talks to Convert.
    public var mode: Mode { engine.isOffline ? .offline : .online }

    /// Whether events are sent. An SDK that is ``Mode/offline`` sends none in any case.
    public var isTrackingEnabled: Bool { engine.delivery.isAllowed }

    /// Switches tracking on or off. While it is off nothing is sent, but for a request that is under way: events wait,
    /// as many as ``SDKConfiguration/queueCapacity`` and a ledger hold, and are sent once it is on. Decisions do not
    /// change.
    public func setTrackingEnabled(_ isEnabled: Bool) { engine.delivery.handle(.allowed(isEnabled)) }

    /// Calls `handler` for every event until the subscription is cancelled.
    ///
    /// It is called on the thread where something happened, also while a visitor decides: it must be short. If the SDK
    /// is ready already, ``SDKEvent/ready`` comes at once.
    @discardableResult
    public func onEvent(_ handler: @escaping @Sendable (SDKEvent) -> Void) -> ConvertSDK.Subscription {
        engine.hub.subscribe(handler)
    }

    /// The events from now on, as a stream that ends with the SDK's shutdown.
    ///
    /// - Parameter limit: how many events wait for a slow reader; beyond that the oldest are dropped.
    public func events(bufferingNewest limit: Int = 1000) -> AsyncStream<SDKEvent> { engine.hub.stream(limit: limit) }

    /// Where the tracking events are: delivered, waiting, given up.
    public var deliveryCounts: DeliveryCounts { engine.delivery.counts }

    /// Why tracking events wait, if the endpoint did not take the last ones; `nil` as soon as it takes events again.
    ///
    /// A process can report it with its health: a refused secret or a wrong address, which do not pass by themselves,
    /// show in `DeliveryOutage.cause`. If events of several SDK keys or projects wait, the outage is that of the
    /// event that was tracked last, or else the one that began first.
    public var deliveryOutage: DeliveryOutage? { engine.delivery.outage }

    /// Where the lines of the decision log are: written, waiting, given up.
    public var decisionLogCounts: DecisionLogCounts { engine.decisionLog?.counts ?? DecisionLogCounts() }

    /// How the ledger is; `nil` without a ledger.
    public var ledgerStatus: LedgerStatus? { engine.writer?.status }

    /// Stores what waits for the ledger and for the decision log, and sends what waits, without waiting for size or
    /// interval. A pause that the endpoint asked for is kept.
    ///
    /// It returns once all of that is done, or has failed. Conversions made while a visitor's record is being loaded
    /// wait for it; loads, commits and lines that take longer are waited for 10 seconds each, the requests as long as
    /// ``SDKConfiguration/requestTimeout`` says.
    /// - Returns: where the events are then; those that could not be sent are still queued.
    @discardableResult
    public func flush() async -> DeliveryCounts {
        async let lines: Void? = engine.decisionLog?.flush(until: engine.time.now + .seconds(10))
        await engine.records.loader?.waitForLoads(until: engine.time.now + LedgerWriter.callTimeout)
        await engine.writer?.flush(until: engine.time.now + LedgerWriter.callTimeout)
        await engine.delivery.flush()
        _ = await lines
        return engine.delivery.counts
    }

    /// Forgets a visitor: in memory, in the ledger, and in what waits to be stored or sent. Contexts of the visitor
    /// that are alive know nothing any more, and what they do from now on counts as a new visitor's.
    ///
    /// What was sent before is Convert's, and what a decision log has in its file stays there.
    /// - Parameters:
    ///   - visitorID: the visitor's id.
    ///   - timeout: how long to wait for the ledger.
    /// - Throws: ``ConvertError``, `notReady` if there is no config yet, `notStored` if the ledger has not done it in
    ///   time. Then it is done as soon as the ledger can, and what the visitor does until then goes with it; but not
    ///   after a shutdown.
    public func forget(visitorID: String, timeout: Duration = .seconds(10)) async throws(ConvertError) {
        guard let snapshot = bases.current.snapshot else {
            throw ConvertError(code: .notReady, message: "there is no config yet; wait for ready().")
        }
        let key = snapshot.visitorKey(visitorID)
        engine.decisionLog?.forget(visitorID)
        let isOfVisitor: @Sendable (QueuedEvent) -> Bool = { [destination = snapshot.destination] event in
            // A ledger may have events of before an SDK key was replaced.
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

    /// Ends the SDK: stops refreshing, stores and sends what waits, both again if need be, and closes the ledger. A
    /// copy of the config that is being written is written.
    ///
    /// It returns at the deadline at the latest, and before if everything is done or nothing can be sent until then; a
    /// ledger that fails is tried until the deadline. Cancelling the task that calls it does not cut it short.
    /// Afterwards contexts still decide. What they would track is given up as `RejectionReason.shutDown`, and not
    /// stored either, so that a later process reports it. Calling it again waits for the first call to end, until its
    /// own deadline, and reports again.
    /// - Parameter deadline: how long it may take.
    /// - Returns: what could not be delivered or saved, and what was given up since the SDK was made.
    @discardableResult
    public func shutdown(deadline: Duration = .seconds(10)) async -> ShutdownReport {
        refreshing.cancel()
        refresher.stop()
        engine.previews?.end()
        let end = engine.time.now + max(.zero, deadline)
        let (ending, isFirst) = ending.withLock { [engine, refresher] ending in
            if let ending { return (ending, false) }
            // In a task of its own: services clean up in cancelled ones, in which nothing could be waited for.
            let task = Task {
                await engine.shutDown(until: end)
                // A copy of the config may be half written.
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
