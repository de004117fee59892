import ConvertConcurrency

/// What the contexts of one SDK share.
final class SDKEngine: Sendable {
    let configuration: SDKConfiguration
    let hub: EventHub
    let log: Diagnostics
    let delivery: EventDelivery
    let memory: VisitorMemory
    /// The way to the app's store, if it gave one.
    let store: WriteBehind?
    /// Fetches what is previewed though the config does not have it; `nil` if nothing is fetched.
    let previews: PreviewLoader?
    let time: any TimeSource
    let isTrackingEnabled: Atomic<Bool>

    init(
        configuration: SDKConfiguration, hub: EventHub, log: Diagnostics, delivery: EventDelivery, store: WriteBehind?,
        previews: PreviewLoader?, time: any TimeSource
    ) {
        self.configuration = configuration
        self.hub = hub
        self.log = log
        self.delivery = delivery
        self.store = store
        self.previews = previews
        self.time = time
        memory = VisitorMemory(capacity: max(1, configuration.visitorCapacity))
        isTrackingEnabled = Atomic(configuration.isTrackingEnabled)
    }
}
