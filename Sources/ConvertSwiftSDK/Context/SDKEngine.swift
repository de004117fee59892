import ConvertConcurrency
import ConvertTransport

/// The components that the contexts of one SDK share.
final class SDKEngine: Sendable {
    let configuration: SDKConfiguration
    /// Whether nothing is fetched and nothing is sent.
    let isOffline: Bool
    /// Receives the events that an offline SDK would report; `nil` to drop them.
    let sink: (any TrackingSink)?
    /// Answers that tests force; `nil` if the SDK is online, so that a forced answer is never reported.
    let forced: ForcedAnswerTable?
    let hub: EventHub
    let log: Diagnostics
    let delivery: EventDelivery
    let records: VisitorRecords
    /// Writes to the ledger; `nil` if everything is kept in memory.
    let writer: LedgerWriter?
    /// Fetches previewed experiences that the config does not have; `nil` if nothing is fetched.
    let previews: PreviewLoader?
    /// Writes the answers of contexts to a log; `nil` without a decision log.
    let decisionLog: DecisionLogWriter?
    let time: any TimeSource

    /// - Parameters:
    ///   - endpoint: serves previewed experiences; `nil` if the app passed the config.
    ///   - secret: the secret of tracking requests.
    init(
        endpoint: ConfigEndpoint?, secret: String?, isOffline: Bool, sink: (any TrackingSink)?,
        configuration: SDKConfiguration, transport: any HTTPTransport, surroundings: Surroundings
    ) {
        let (ledger, time, hub) = (configuration.ledger, surroundings.time, EventHub())
        let log = Diagnostics(logger: configuration.logger, level: configuration.logLevel, time: time)
        let delivery = EventDelivery(
            endpoint: TrackingEndpoint(configuration: configuration, secret: secret),
            policy: DeliveryPolicy(configuration), transport: transport, ledger: isOffline ? nil : ledger,
            surroundings: surroundings, log: log, hub: hub)
        if !configuration.isTrackingEnabled { delivery.handle(.allowed(false)) }
        writer = ledger.map { ledger in
            LedgerWriter(
                ledger, capacity: configuration.queueCapacity, patience: configuration.ledgerPatience,
                surroundings: surroundings, log: log, hub: hub, delivery: delivery)
        }
        records = VisitorRecords(
            capacity: configuration.visitorCapacity, deferralLimit: max(1, configuration.queueCapacity),
            loader: ledger.map { VisitorLoader($0, limit: configuration.loadLimit, time: time, log: log) })
        previews = isOffline ? nil : endpoint.map { PreviewLoader(endpoint: $0, transport: transport, time: time) }
        decisionLog = configuration.decisionLog.map { DecisionLogWriter($0, time: time, losses: log.losses) }
        forced = isOffline ? ForcedAnswerTable() : nil
        (self.configuration, self.isOffline, self.sink) = (configuration, isOffline, sink)
        (self.time, self.hub, self.log, self.delivery) = (time, hub, log, delivery)
    }

    // Contexts outlive the SDK: while there is one, its changes are stored and its events are sent.
    deinit { writer?.giveUp() }

    /// Stores and delivers the remaining changes and events, and stops all components, until `end`.
    func shutDown(until end: Duration) async {
        // Deferred conversions become events and changes when loading ends, so half of the time is left for those.
        async let early: Void = delivery.flush()
        let loadsEnd = time.now + (end - time.now) / 2
        await records.loader?.endLoads(until: loadsEnd)
        await records.deferrals.wait(until: loadsEnd, by: time)
        async let lines: Void? = decisionLog?.finish(until: end)
        async let stored: Bool? = writer?.flush(until: end)
        await delivery.drain(until: end)
        _ = await stored
        // From here on nothing is accepted. Everything accepted so far is stored, for the next process to deliver.
        writer?.close()
        if time.now < end { await writer?.flush(until: end) }
        delivery.stop()
        await records.loader?.end()
        await early
        _ = await lines
        await writer?.finish(until: end)
        if let count = writer?.unstoredCount, count > 0 {
            log.once(
                .ledgerEnd,
                "the ledger had not stored \(count) entries at the end of the shutdown; what they change is lost. "
                    + "Look at the ledger, or give the shutdown more time.")
        }
        log.losses.logRest()
        hub.finish()
    }
}
