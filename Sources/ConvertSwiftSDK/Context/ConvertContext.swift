import ConvertECMAScript
import ConvertSwiftSDKCore
import Synchronization

/// One visitor, for as long as the app deals with them: a request, a session.
///
///     let context = sdk.createContext(visitorID: "visitor-1", attributes: ["plan": "pro"])
///     if context.selectVariation("checkout-button")?.variationKey == "green" { … }
///     context.trackConversion("purchase", revenue: 49.9, transactionID: "t-1")
///
/// Decisions are synchronous and wait for neither network nor store. They are made on the config that was in place when
/// the context was created; a later one serves later contexts. A context that was created before the SDK had a config
/// answers ``Reason/sdkNotReady`` until there is one, and keeps the first one it sees.
///
/// What decisions imply is done by the time they return: stored decisions are in memory, and on their way to the visitor
/// store; events are queued, in the order in which the context made them; listeners were told.
///
/// Contexts of one visitor share what is stored: of a decision that several of them come to, the first counts for all, and is
/// reported once, as long as the visitor is among those that the SDK keeps in memory.
///
/// Safe to use from any thread. Its lock is the context's own; contexts do not wait for each other.
public final class ConvertContext: Sendable {
    /// A visitor with the config that decides.
    struct Live {
        var snapshot: ConfigSnapshot
        let key: String
        var visitor: Visitor

        /// Runs `body` on the visitor in place.
        mutating func run<Result>(_ body: (ConfigSnapshot, inout Visitor) -> Result) -> Result {
            body(snapshot, &visitor)
        }
    }

    struct State {
        var live: Live?
        /// Whether the visitor's record is being loaded.
        var isLoading = false
        /// What memory had of the visitor when the load began.
        var base = VisitorState()
        /// Changes made meanwhile. They are not saved before it is known what they are changes of.
        var held = VisitorState()
        /// The number under which the store's flush knows of them.
        var holder: Int?
        /// Report segments among the attributes. They are stored with the first call that may leave a trace, because until
        /// then the context may turn out to be a preview.
        var unstored: VisitorStateChange?
        /// The snapshot to go back to when a preview of an experience that it does not have ends.
        var own: ConfigSnapshot?
        var requests = Requests()
    }

    /// What was asked for before there was a config.
    struct Requests {
        private(set) var preview: (experienceID: String, variationID: String)?
        /// Segments and properties, merged in the order in which they came.
        private var segments = JSObject()
        /// Those that came after the preview. They count only if the config does not have it.
        private var segmentsAfterPreview = JSObject()

        mutating func show(_ experienceID: String, _ variationID: String) { preview = (experienceID, variationID) }

        mutating func store(_ new: JSObject) {
            if preview == nil {
                segments = segments.deepMerging(new)
            } else {
                segmentsAfterPreview = segmentsAfterPreview.deepMerging(new)
            }
        }

        func segments(whilePreviewing isPreviewing: Bool) -> JSObject {
            isPreviewing ? segments : segments.deepMerging(segmentsAfterPreview)
        }
    }

    /// The visitor's id, as the app gave it. With an empty one nothing is decided.
    public let visitorID: String

    let engine: SDKEngine
    let attributes: JSObject
    let locationProperties: JSObject?
    let state: Mutex<State>
    /// Whether there ever was something unstored, known without the lock.
    private let hasUnstored = Atomic(false)
    /// Opens when the visitor's record was loaded, or that failed; `nil` without a store.
    let loaded: Latch?

    init(visitorID: String, attributes: JSObject, locationProperties: JSObject?, engine: SDKEngine) {
        self.visitorID = visitorID
        self.attributes = attributes
        self.locationProperties = locationProperties
        self.engine = engine
        loaded = engine.store == nil ? nil : Latch()
        state = Mutex(State())
        if let segments = state.withLock({ adoptSnapshot(&$0) }) { didAdoptSnapshot(storing: segments) }
    }

    deinit {
        guard hasUnstored.load(ordering: .relaxed) else { return }
        state.withLock { state in
            guard state.unstored != nil, let live = state.live else { return }
            perform([], of: live.snapshot, isPreviewing: live.visitor.isPreviewing, &state)
        }
    }

    /// Runs `body` on the visitor under the context's lock; `nil` if there is no config.
    ///
    /// - Parameter request: keeps, under the same lock, what is asked for while there is no config.
    func withVisitor<Result>(
        orRequest request: (inout Requests) -> Void = { _ in },
        _ body: (inout State, ConfigSnapshot, inout Visitor) -> sending Result
    ) -> sending Result? {
        let (result, adopted) = state.withLock { state -> (Result?, JSObject?) in
            var adopted: JSObject?
            if state.live == nil {
                adopted = adoptSnapshot(&state)
                if adopted == nil {
                    request(&state.requests)
                    return (nil, nil)
                }
            }
            // Taken out while it is changed, so that the state can be changed beside it without a copy.
            guard var live = state.live.take() else { return (nil, nil) }
            let result = body(&state, live.snapshot, &live.visitor)
            state.live = consume live
            return (result, adopted)
        }
        if let adopted { didAdoptSnapshot(storing: adopted) }
        return result
    }

    /// Lends the context's snapshot an experience that it does not have, as `borrow` does, and shows it, as `show` does.
    /// Returns whether both did.
    ///
    /// What was borrowed before is given back in the same moment: another preview may have been loaded meanwhile, and its
    /// experience is not the context's own either.
    func borrow(
        _ borrow: (ConfigSnapshot) -> ConfigSnapshot?, showing show: (ConfigSnapshot, inout Visitor) -> Bool
    ) -> Bool {
        state.withLock { state in
            guard var live = state.live.take() else { return false }
            defer { state.live = live }
            let own = state.own ?? live.snapshot
            guard let snapshot = borrow(own), show(snapshot, &live.visitor) else { return false }
            live.snapshot = snapshot
            state.own = own
            return true
        }
    }

    /// Gives back what was borrowed: beyond its preview, nobody is to be decided into it.
    func giveBack() {
        state.withLock { state in
            guard let own = state.own else { return }
            state.live?.snapshot = own
            state.own = nil
        }
    }

    /// Begins to decide on the config that is in place now. Returns the requested segments that it stored, or `nil` if
    /// there is no config.
    private func adoptSnapshot(_ state: inout State) -> JSObject? {
        guard let snapshot = engine.snapshots.current(for: visitorID) else { return nil }
        let key = visitorID.isEmpty ? "" : snapshot.visitorKey(visitorID)
        let known = visitorID.isEmpty ? nil : engine.memory.record(key)
        var visitor = snapshot.experiences.visitor(
            id: visitorID, attributes: attributes, state: known ?? VisitorState())
        if let preview = state.requests.preview {
            snapshot.experiences.setPreview(
                experienceID: preview.experienceID, variationID: preview.variationID, for: &visitor)
        }
        if !visitorID.isEmpty, let change = snapshot.experiences.segmentChange(in: attributes) {
            state.unstored = change
            hasUnstored.store(true, ordering: .relaxed)
        }
        var changes: [VisitorStateChange] = []
        let requested = state.requests.segments(whilePreviewing: visitor.isPreviewing)
        state.requests = Requests()
        if !requested.isEmpty {
            visitor.apply(.segments(requested), in: snapshot.experiences.project)
            // In the order in which they came.
            if let unstored = state.unstored.take() { changes.append(unstored) }
            changes.append(.segments(requested))
        }
        state.isLoading = engine.store != nil && !visitorID.isEmpty
        if state.isLoading { state.base = known ?? VisitorState() } else { loaded?.open() }
        if !visitorID.isEmpty { store(changes, key: key, &state) }
        state.live = Live(snapshot: snapshot, key: key, visitor: visitor)
        return requested
    }

    /// Hands changes on, or keeps them while the visitor's record is being loaded.
    func store(_ changes: [VisitorStateChange], key: String, _ state: inout State) {
        guard !changes.isEmpty else { return }
        if state.isLoading {
            if state.holder == nil { state.holder = engine.store?.beginHolding(key) }
            for change in changes { state.held.apply(change) }
            return
        }
        engine.memory.update(key) { record in for change in changes { record.apply(change) } }
        guard let store = engine.store else { return }
        var delta = VisitorState()
        for change in changes { delta.apply(change) }
        store.add(delta, for: key)
    }

    /// Does what must wait until the lock is free.
    private func didAdoptSnapshot(storing segments: JSObject) {
        if !segments.isEmpty { engine.hub.fire(.segments(visitorID: visitorID, segments)) }
        startLoading()
    }

    private func startLoading() {
        guard let store = engine.store, !visitorID.isEmpty else { return }
        guard let key = state.withLock({ $0.live?.key }) else { return }
        Task { self.merge(await store.load(key), from: store) }
    }

    /// Merges what was loaded: stored decisions win over those made meanwhile, so that a visitor stays where they were;
    /// segments and goals set meanwhile are newer than the stored ones.
    private func merge(_ stored: VisitorState?, from store: WriteBehind) {
        state.withLock { state in
            guard state.isLoading, var live = state.live.take() else { return }
            state.isLoading = false
            let base = state.base
            state.base = VisitorState()
            var changes = state.held
            state.held = VisitorState()
            var own = VisitorState()
            if let unstored = state.unstored { own.apply(unstored) }
            engine.memory.update(live.key) { record in
                // Changes of the visitor's other contexts may be newer than what was read, and are stored already.
                let known = (stored ?? VisitorState()).merging(record.changes(since: base))
                if !known.isEmpty {
                    changes.forgetDecisions(in: known)
                    live.visitor.replaceState(
                        live.visitor.state.merging(known).merging(own).merging(changes),
                        in: live.snapshot.experiences.project)
                }
                record = base.merging(record).merging(known).merging(changes)
            }
            store.add(changes, for: live.key)
            if let holder = state.holder.take() { store.endHolding(holder) }
            state.live = consume live
        }
        loaded?.open()
    }
}

extension VisitorState {
    /// Drops decisions for experiences that `stored` has one for.
    fileprivate mutating func forgetDecisions(in stored: VisitorState) {
        guard var own = bucketing, let theirs = stored.bucketing else { return }
        for member in theirs { own[member.key] = nil }
        bucketing = own.isEmpty ? nil : own
    }

    /// What this record has that `base` has not, or has otherwise.
    fileprivate func changes(since base: VisitorState) -> VisitorState {
        var changes = VisitorState()
        for member in bucketing ?? JSObject() where base.bucketing?[member.key] != member.value {
            changes.apply(.bucketing(experienceID: member.key, variationID: member.value))
        }
        if let locations, locations != base.locations { changes.apply(.locations(locations)) }
        var newer = JSObject()
        for member in segments ?? JSObject() where base.segments?[member.key] != member.value {
            newer[member.key] = member.value
        }
        if !newer.isEmpty { changes.apply(.segments(newer)) }
        for member in goals ?? JSObject() where base.goals?[member.key] == nil { changes.apply(.goal(member.key)) }
        return changes
    }
}
