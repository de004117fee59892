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
}
