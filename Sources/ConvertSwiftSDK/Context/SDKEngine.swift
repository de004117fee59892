import ConvertConcurrency
import ConvertECMAScript

/// What the contexts of one SDK share.
final class SDKEngine: Sendable {
    let configuration: SDKConfiguration
    /// Whether nothing is fetched and nothing sent.
    let isOffline: Bool
    /// What takes the events that an offline SDK would report, if anything does.
    let sink: (any TrackingSink)?
    /// What tests force; `nil` if the SDK is online, so that no forced answer is ever reported.
    let forced: ForcedAnswerTable?
    let hub: EventHub
    let log: Diagnostics
    let delivery: EventDelivery
    let records: VisitorRecords
    /// The way to the ledger; `nil` if everything is kept in memory.
    let writer: LedgerWriter?
    /// Fetches what is previewed though the config does not have it; `nil` if nothing is fetched.
    let previews: PreviewLoader?
    /// Writes what contexts are answered; `nil` if that is not asked for.
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

    // Contexts outlive the SDK: as long as there is one, what it changes is stored, and what it tracks is sent.
    deinit { writer?.giveUp() }
}
