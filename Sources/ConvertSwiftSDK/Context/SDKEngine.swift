import ConvertConcurrency
import ConvertECMAScript

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

    init(
        configuration: SDKConfiguration, isOffline: Bool, sink: (any TrackingSink)?, hub: EventHub, log: Diagnostics,
        delivery: EventDelivery, records: VisitorRecords, writer: LedgerWriter?, previews: PreviewLoader?,
        time: any TimeSource
    ) {
        self.configuration = configuration
        self.isOffline = isOffline
        self.sink = sink
        forced = isOffline ? ForcedAnswerTable() : nil
        self.hub = hub
        self.log = log
        self.delivery = delivery
        self.records = records
        self.writer = writer
        self.previews = previews
        decisionLog = configuration.decisionLog.map { DecisionLogWriter($0, time: time, losses: log.losses) }
        self.time = time
    }

    // Contexts outlive the SDK: while there is one, its changes are stored and its events are sent.
    deinit { writer?.giveUp() }
}
