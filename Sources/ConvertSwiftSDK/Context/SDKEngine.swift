import ConvertECMAScript
import ConvertSwiftSDKCore
import Synchronization

/// What the contexts of one SDK share.
final class SDKEngine: Sendable {
    let configuration: SDKConfiguration
    let snapshots = SnapshotBox()
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

/// A way to the engine whose references few threads count: what contexts hold of it.
final class EngineShare: Sendable {
    let engine: SDKEngine
    /// Where its contexts find their snapshot.
    let cell: SnapshotBox.Cell
    /// The engine's. Held here too, because reaching it through the engine counts a reference.
    private let memory: VisitorMemory
    private let padding = StripePadding.zero

    private init(_ engine: SDKEngine, _ cell: SnapshotBox.Cell) {
        self.engine = engine
        self.cell = cell
        memory = engine.memory
    }

    /// A visitor with what is known of them, if there are no report segments among `attributes`.
    ///
    /// Not inlined: in its caller's place Swift 6.3.1 would count a reference of everything on the way, at which threads wait
    /// for each other.
    @inline(never)
    func visitor(id: String, attributesWithoutSegments attributes: JSObject, in snapshot: ConfigSnapshot) -> Visitor {
        snapshot.project.visitor(
            id: id, attributesWithoutSegments: attributes, state: memory.record(of: id, in: snapshot))
    }

    /// The shares of an engine, one for each ``ThreadStripe``.
    static func all(of engine: SDKEngine) -> [EngineShare] {
        engine.snapshots.cells.map { EngineShare(engine, $0) }
    }
}
