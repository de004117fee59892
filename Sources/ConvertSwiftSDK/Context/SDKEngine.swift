import ConvertConcurrency

/// What the contexts of one SDK share.
final class SDKEngine: Sendable {
    let configuration: SDKConfiguration
    let hub: EventHub
    let log: Diagnostics
    let delivery: EventDelivery
    let records: VisitorRecords
    /// Fetches what is previewed though the config does not have it; `nil` if nothing is fetched.
    let previews: PreviewLoader?
    let time: any TimeSource

    init(
        configuration: SDKConfiguration, hub: EventHub, log: Diagnostics, delivery: EventDelivery,
        records: VisitorRecords, previews: PreviewLoader?, time: any TimeSource
    ) {
        self.configuration = configuration
        self.hub = hub
        self.log = log
        self.delivery = delivery
        self.records = records
        self.previews = previews
        self.time = time
    }
}
