import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

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
    /// The visitor's id, as the app gave it. With an empty one nothing is decided.
    public let visitorID: String

    private let basis: ContextBasis
    let locationProperties: JSObject?
    let state: Mutex<Guarded>
    /// Whether there ever was something unstored, known without the lock.
    private let hasUnstored = Atomic(false)
    /// Opens when the visitor's record was loaded, or that failed; `nil` without a store.
    let loaded: Latch?

    var engine: SDKEngine { basis.engine }

    static func make(
        visitorID: String, attributes: consuming JSObject, locationProperties: JSObject?, bases: ContextBases
    ) -> ConvertContext {
        let basis = bases.current
        // Most contexts are made without anything to store or to load, and then nobody else needs to know of them.
        if basis.engine.store == nil, let snapshot = basis.lentSnapshot, !ReportSegments.areAmong(attributes) {
            let visitor = basis.visitor(id: visitorID, attributesWithoutSegments: attributes, in: snapshot)
            return ConvertContext(
                visitorID: visitorID, locationProperties: locationProperties, basis: basis, visitor: visitor)
        }
        return ConvertContext(
            visitorID: visitorID, attributes: attributes, locationProperties: locationProperties, bases: bases)
    }

    private init(
        visitorID: String, locationProperties: JSObject?, basis: ContextBasis, visitor: consuming Visitor
    ) {
        self.visitorID = visitorID
        self.locationProperties = locationProperties
        self.basis = basis
        loaded = nil
        state = Mutex(Guarded(visitor: visitor))
    }

    private init(visitorID: String, attributes: JSObject, locationProperties: JSObject?, bases: ContextBases) {
        self.visitorID = visitorID
        self.locationProperties = locationProperties
        basis = bases.current
        loaded = basis.engine.store == nil ? nil : Latch()
        state = Mutex(Guarded(state: State(waiting: attributes, for: bases)))
        if let segments = state.withLock({ adoptSnapshot(&$0) }) { didAdoptSnapshot(storing: segments) }
    }

    deinit {
        guard hasUnstored.load(ordering: .relaxed) else { return }
        state.withLock { guarded in
            guard guarded.state.unstored != nil, let visitor = guarded.visitor, let snapshot = snapshot(guarded.state)
            else { return }
            perform([], of: snapshot, isPreviewing: visitor.isPreviewing, &guarded.state)
        }
    }

    /// Runs `body` on the visitor under the context's lock; `nil` if there is no config.
    ///
    /// - Parameters:
    ///   - givesBack: whether what ``borrow(_:showing:)`` lent is given back first: beyond its preview, nobody is to be
    ///     decided into it.
    ///   - request: keeps, under the same lock, what is asked for while there is no config.
    func withVisitor<Result: Sendable>(
        givingBack givesBack: Bool = false, orRequest request: (inout Requests) -> Void = { _ in },
        _ body: (inout State, ConfigSnapshot, inout Visitor) -> Result
    ) -> Result? {
        var adopted: JSObject?
        let result = state.withLock { guarded -> Result? in
            if guarded.visitor == nil {
                adopted = adoptSnapshot(&guarded)
                if adopted == nil { request(&guarded.state.requests) }
            } else if givesBack {
                guarded.state.lent = nil
            }
            if let snapshot = guarded.state.replacement {
                return guarded.visitor?.run(&guarded.state, snapshot, body)
            }
            return basis.withSnapshot { guarded.visitor?.run(&guarded.state, $0, body) }
        }
        if let adopted { didAdoptSnapshot(storing: adopted) }
        return result
    }

    /// The snapshot that decides; `nil` as long as there is no config.
    private func snapshot(_ state: State) -> ConfigSnapshot? { state.replacement ?? basis.snapshot }

    /// Lends the context's snapshot an experience that it does not have, as `borrow` does, and shows it, as `show` does.
    /// Returns whether both did.
    ///
    /// What was borrowed before is given back in the same moment, whatever comes of this: another preview may have been
    /// loaded meanwhile, and its experience is not the context's own either.
    func borrow(
        _ borrow: (ConfigSnapshot) -> ConfigSnapshot?, showing show: (ConfigSnapshot, inout Visitor) -> Bool
    ) -> Bool {
        state.withLock { guarded in
            guarded.state.lent = nil
            guard let own = snapshot(guarded.state), let snapshot = borrow(own),
                guarded.visitor?.run(&guarded.state, snapshot, { show($1, &$2) }) ?? false
            else { return false }
            guarded.state.lent = snapshot
            return true
        }
    }

    /// Begins to decide on the config that is in place now. Returns the requested segments that it stored, or `nil` if
    /// there is no config.
    private func adoptSnapshot(_ guarded: inout Guarded) -> JSObject? {
        guard let snapshot = guarded.state.bases?.current.snapshot else { return nil }
        let attributes = guarded.state.attributes
        let known = engine.memory.record(of: visitorID, in: snapshot)
        var visitor = snapshot.experiences.visitor(id: visitorID, attributes: attributes, state: known)
        if let preview = guarded.state.requests.preview {
            snapshot.experiences.setPreview(
                experienceID: preview.experienceID, variationID: preview.variationID, for: &visitor)
        }
        let requested = guarded.state.requests.segments(whilePreviewing: visitor.isPreviewing)
        guarded.state.adopt(snapshot === basis.snapshot ? nil : snapshot)
        var changes = visitorID.isEmpty ? [] : snapshot.experiences.segmentChange(in: attributes).map { [$0] } ?? []
        if !requested.isEmpty {
            visitor.apply(.segments(requested), in: snapshot.experiences.project)
            changes.append(.segments(requested))
        } else if let change = changes.popLast() {
            guarded.state.unstored = change
            hasUnstored.store(true, ordering: .relaxed)
        }
        if engine.store != nil && !visitorID.isEmpty {
            guarded.state.isLoading = true
            guarded.state.base = known
        } else {
            loaded?.open()
        }
        if !visitorID.isEmpty { store(changes, key: snapshot.visitorKey(visitorID), &guarded.state) }
        guarded.visitor = visitor
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
        guard let key = state.withLock({ snapshot($0.state)?.visitorKey(visitorID) }) else { return }
        Task { self.merge(await store.load(key), from: store) }
    }

    /// Merges what was loaded: stored decisions win over those made meanwhile, so that a visitor stays where they were;
    /// segments and goals set meanwhile are newer than the stored ones.
    private func merge(_ stored: VisitorState?, from store: WriteBehind) {
        state.withLock { guarded in
            guard guarded.state.isLoading, let snapshot = snapshot(guarded.state), var visitor = guarded.visitor.take()
            else { return }
            let key = snapshot.visitorKey(visitorID)
            let base = guarded.state.base
            var changes = guarded.state.held
            var own = VisitorState()
            if let unstored = guarded.state.unstored { own.apply(unstored) }
            let holder = guarded.state.holder
            guarded.state.isLoading = false
            guarded.state.base = VisitorState()
            guarded.state.held = VisitorState()
            guarded.state.holder = nil
            engine.memory.update(key) { record in
                // Changes of the visitor's other contexts may be newer than what was read, and are stored already.
                let known = (stored ?? VisitorState()).merging(record.changes(since: base))
                if !known.isEmpty {
                    changes.forgetDecisions(in: known)
                    visitor.replaceState(
                        visitor.state.merging(known).merging(own).merging(changes), in: snapshot.experiences.project)
                }
                record = base.merging(record).merging(known).merging(changes)
            }
            store.add(changes, for: key)
            if let holder { store.endHolding(holder) }
            guarded.visitor = consume visitor
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
