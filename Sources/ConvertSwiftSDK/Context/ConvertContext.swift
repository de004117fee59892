import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// One visitor, for as long as the app deals with them: a request, a session.
///
///     let context = sdk.createContext(visitorID: "visitor-1", attributes: ["plan": "pro"])
///     if context.selectVariation("checkout-button")?.variationKey == "green" { … }
///     context.trackConversion("purchase", revenue: 49.9, transactionID: "t-1")
///
/// Decisions are synchronous. They do not fetch anything and do not wait for the visitor store; a tracked one waits until the
/// event journal has its event, if there is a journal. They are made on the config that was in place when
/// the context was created; a later one serves later contexts. A context that was created before the SDK had a config
/// answers ``Decision/Reason/sdkNotReady`` until there is one, and keeps the first one it sees.
///
/// What decisions imply is done by the time they return: stored decisions are in memory, and on their way to the visitor
/// store; events are queued, in the order in which the context made them; listeners were notified. Only a conversion waits for the
/// visitor's record while that is being loaded from the store.
///
/// Contexts of one visitor share what is stored: of a decision that several of them come to, the first counts for all, and is
/// reported once, as long as the visitor is among those that the SDK keeps in memory.
///
/// Safe to use from any thread. Its lock is the context's own; contexts do not wait for each other.
public final class ConvertContext: Sendable {
    /// The visitor's id, as the app gave it. With an empty one nothing is decided.
    public let visitorID: String

    let basis: ContextBasis
    let locationProperties: JSObject?
    let state: Mutex<Guarded>
    /// Whether there ever was something unstored, known without the lock.
    private let hasUnstored = Atomic(false)
    private let storedRecord: StoredRecord?

    /// What only a context with a store has.
    private struct StoredRecord {
        /// Opens when the record was loaded, or that failed.
        let loaded = Latch()
        /// The visitor's key, if the context was made on a config.
        let key: PropertyKey?
    }

    /// Opens when the visitor's record was loaded, or that failed; `nil` without a store.
    var loaded: Latch? { storedRecord?.loaded }

    var engine: SDKEngine { basis.engine }

    @inline(__always)
    static func make(
        visitorID: consuming String, attributes: consuming JSObject, locationProperties: consuming JSObject?,
        bases: ContextBases
    ) -> ConvertContext {
        let basis = bases.current
        guard let lentSnapshot = basis.lentSnapshot, !basis.findsSegments(in: attributes) else {
            return ConvertContext(
                visitorID: visitorID, attributes: attributes, locationProperties: locationProperties, bases: bases)
        }
        if basis.hasStore, let snapshot = basis.snapshot {
            return ConvertContext(
                visitorID: visitorID, attributesWithoutSegments: attributes, locationProperties: locationProperties,
                basis: basis, snapshot: snapshot)
        }
        // Without a store there is no record to load, so nobody else needs to know of the context. Optionals, because a closure
        // copies what it captures and cannot take.
        var rest = Optional(attributes)
        var visitor: Visitor?
        lentSnapshot._withUnsafeGuaranteedRef {
            visitor = basis.visitor(id: copy visitorID, attributesWithoutSegments: rest.take() ?? JSObject(), in: $0)
        }
        return ConvertContext(
            visitorID: visitorID, locationProperties: locationProperties, basis: basis, visitor: visitor)
    }

    private init(
        visitorID: String, locationProperties: JSObject?, basis: ContextBasis, visitor: consuming Visitor?
    ) {
        self.visitorID = visitorID
        self.locationProperties = locationProperties
        self.basis = basis
        storedRecord = nil
        state = Mutex(Guarded(visitor: visitor))
    }

    /// A context with a store.
    /// - Parameter snapshot: that of `basis`.
    private init(
        visitorID: String, attributesWithoutSegments attributes: JSObject, locationProperties: JSObject?,
        basis: ContextBasis, snapshot: ConfigSnapshot
    ) {
        self.visitorID = visitorID
        self.locationProperties = locationProperties
        self.basis = basis
        storedRecord = StoredRecord(key: snapshot.visitorKey(visitorID))
        state = Mutex(Guarded())
        state.withLock { guarded in
            let known = open(in: snapshot, &guarded.state)
            guarded.visitor = snapshot.project.visitor(
                id: visitorID, attributesWithoutSegments: attributes, state: known)
        }
    }

    private init(visitorID: String, attributes: JSObject, locationProperties: JSObject?, bases: ContextBases) {
        self.visitorID = visitorID
        self.locationProperties = locationProperties
        basis = bases.current
        storedRecord = basis.hasStore ? StoredRecord(key: nil) : nil
        state = Mutex(Guarded(state: State(waiting: Waiting(bases: bases, attributes: attributes))))
        if let segments = state.withLock({ adoptSnapshot(&$0) }) { didAdoptSnapshot(storing: segments) }
    }

    deinit {
        guard hasUnstored.load(ordering: .relaxed) else { return }
        state.withLock { guarded in
            guard guarded.state.hasUnstored, let isPreviewing = guarded.visitor?.isPreviewing,
                let snapshot = snapshot(guarded.state)
            else { return }
            _ = commit(
                [], of: snapshot, isPreviewing: isPreviewing, &guarded.state, during: guarded.state.load)
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
        withVisitor(givingBack: givesBack, orRequest: request, or: nil, body)
    }

    /// As ``withVisitor(givingBack:orRequest:_:)``; `fallback` if there is no config.
    @inline(__always)
    func withVisitor<Result: Sendable>(
        givingBack givesBack: Bool = false, orRequest request: (inout Requests) -> Void = { _ in },
        or fallback: @autoclosure () -> Result, _ body: (inout State, ConfigSnapshot, inout Visitor) -> Result
    ) -> Result {
        var adopted: JSObject?
        let result = state.withLock { guarded -> Result in
            if guarded.visitor == nil {
                adopted = adoptSnapshot(&guarded)
                if adopted == nil, var waiting = guarded.state.waiting {
                    request(&waiting.requests)
                    guarded.state.details.waiting = waiting
                }
            } else if givesBack && !guarded.state.isPlain {
                guarded.state.details.lent = nil
            }
            if let snapshot = guarded.state.replacement {
                return guarded.visitor?.run(&guarded.state, snapshot, body) ?? fallback()
            }
            return basis.withSnapshot { guarded.visitor?.run(&guarded.state, $0, body) } ?? fallback()
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
            if !guarded.state.isPlain { guarded.state.details.lent = nil }
            guard let own = snapshot(guarded.state), let snapshot = borrow(own),
                guarded.visitor?.run(&guarded.state, snapshot, { show($1, &$2) }) ?? false
            else { return false }
            guarded.state.details.lent = snapshot
            return true
        }
    }

    /// The visitor's key in a store.
    func key(in snapshot: ConfigSnapshot) -> PropertyKey { storedRecord?.key ?? snapshot.visitorKey(visitorID) }

    /// What is known of the visitor. With a store, it joins the load of their record, or begins one.
    private func open(in snapshot: ConfigSnapshot, _ state: inout State) -> VisitorState {
        guard let loaded else { return engine.records.memory.record(of: visitorID, in: snapshot) }
        var known: VisitorState?
        if !visitorID.isEmpty {
            (known, state.load) = engine.records.open(key(in: snapshot), for: RecordWaiter(adopter: self, end: loaded))
        }
        if state.load == nil { loaded.open() }
        return known ?? VisitorState()
    }

    /// Begins to decide on the config that is in place now. Returns the requested segments that it stored, or `nil` if
    /// there is no config.
    private func adoptSnapshot(_ guarded: inout Guarded) -> JSObject? {
        guard let waiting = guarded.state.waiting, let snapshot = waiting.bases.current.snapshot else { return nil }
        var state = State()
        let known = open(in: snapshot, &state)
        var visitor = snapshot.experiences.visitor(id: visitorID, attributes: waiting.attributes, state: known)
        if let preview = waiting.requests.preview {
            snapshot.experiences.setPreview(
                experienceID: preview.experienceID, variationID: preview.variationID, for: &visitor)
        }
        let requested = waiting.requests.segments(whilePreviewing: visitor.isPreviewing)
        if snapshot !== basis.snapshot { state.details.adopted = snapshot }
        var changes: [VisitorStateChange] = []
        if !visitorID.isEmpty, let change = snapshot.experiences.segmentChange(in: waiting.attributes, of: known) {
            // Requested segments leave a trace at once.
            if requested == nil { state.details.unstored = change } else { changes.append(change) }
            hasUnstored.store(requested == nil, ordering: .relaxed)
        }
        for round in requested?.rounds ?? [] {
            visitor.apply(.segments(round), in: snapshot.experiences.project)
            changes.append(.segments(round))
        }
        guarded.state = state
        if !visitorID.isEmpty && !changes.isEmpty {
            _ = commit(
                changes.map { .store($0) }, of: snapshot, isPreviewing: false, &guarded.state,
                during: guarded.state.load)
        }
        guarded.visitor = consume visitor
        return requested?.merged ?? JSObject()
    }

    /// Does what must wait until the lock is free.
    private func didAdoptSnapshot(storing segments: JSObject) {
        if !segments.isEmpty { engine.hub.tell(.segments(visitorID: visitorID, segments)) }
    }
}

extension ConvertContext: RecordAdopter {
    /// Takes over the record that was loaded: stored decisions win over those made meanwhile, so that a visitor stays where
    /// they were; segments set meanwhile are newer than the stored ones.
    func adopt(_ record: VisitorState) {
        state.withLock { guarded in
            guard guarded.state.load != nil, let snapshot = snapshot(guarded.state),
                var visitor = guarded.visitor.take()
            else { return }
            guarded.state.load = nil
            // With what the context made of it since the load ended.
            let known = record.updated(by: engine.records.memory.record(key(in: snapshot)) ?? VisitorState())
            if !known.isEmpty {
                var latest = visitor.state.updated(by: known)
                // Otherwise the visitor's segments stay what they are, the unstored ones included.
                if known.segments != nil, let unstored = guarded.state.details.unstored { latest.apply(unstored) }
                visitor.replaceState(latest, in: snapshot.experiences.project)
            }
            guarded.visitor = consume visitor
        }
    }
}
