import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// A visitor during one request or session.
///
///     let context = sdk.createContext(visitorID: "visitor-1", attributes: ["plan": "pro"])
///     if context.decide("checkout-button").variation?.variationKey == "green" { … }
///     context.trackConversion("purchase", revenue: 49.9, transactionID: "t-1")
///
/// Decisions are synchronous. They fetch nothing, and wait for neither a disk nor a network. They use the config from
/// when the context was created; a newer config applies to later contexts. A context created before the SDK had a
/// config answers ``Decision/Reason/sdkNotReady`` until there is a config, and then keeps that config.
///
/// When a call returns, its effects are done: stored decisions are in memory and on their way to the ledger, events are
/// queued in the order in which the context made them, and listeners were notified. The exception is a conversion while
/// the visitor's record is being loaded from the ledger: it waits for the record.
///
/// **Process kill.** A call's changes and events are stored together a few milliseconds after it returned, or not at
/// all. If a decision or conversion must not be lost, wait for ``persisted(within:)`` before you answer the request.
/// Everything that the context did before that survives a `kill -9`, exactly once. Changes that were not waited for may
/// be lost as if they had never happened: the hash makes the same decision again, and the goal counts when it is
/// triggered again.
///
/// **Several contexts.** A visitor has one record. Contexts of one visitor see each other's decisions, segments and
/// goals at their next call. If several of them make the same decision, the first counts for all, and is reported once.
///
/// **Thread safety.** All methods can be called from any thread. Each context has its own lock; contexts do not wait
/// for each other.
public final class ConvertContext: Sendable {
    /// The visitor's id, as the app passed it. With an empty id, nothing is decided.
    public let visitorID: String

    let basis: ContextBasis
    let locationProperties: JSObject?
    let state: Mutex<Guarded>
    /// Whether there were ever unstored segments; readable without the lock.
    private let hasUnstored = Atomic(false)

    var engine: SDKEngine { basis.engine }

    @inline(__always)
    static func make(
        visitorID: consuming String, attributes: consuming JSObject, locationProperties: consuming JSObject?,
        bases: ContextBases
    ) -> ConvertContext {
        let basis = bases.current
        guard let uncountedSnapshot = basis.uncountedSnapshot, !basis.findsSegments(in: attributes) else {
            return ConvertContext(
                visitorID: visitorID, attributes: attributes, locationProperties: locationProperties, bases: bases)
        }
        if basis.hasLedger, let snapshot = basis.snapshot {
            return ConvertContext(
                visitorID: visitorID, attributesWithoutSegments: attributes, locationProperties: locationProperties,
                basis: basis, snapshot: snapshot)
        }
        // Optionals, because a closure cannot consume the variables that it captures.
        var rest = Optional(attributes)
        var visitor: Visitor?
        uncountedSnapshot.withObject {
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
        state = Mutex(Guarded(visitor: visitor))
    }

    /// Creates a context with a ledger.
    /// - Parameter snapshot: the snapshot of `basis`.
    private init(
        visitorID: String, attributesWithoutSegments attributes: JSObject, locationProperties: JSObject?,
        basis: ContextBasis, snapshot: ConfigSnapshot
    ) {
        self.visitorID = visitorID
        self.locationProperties = locationProperties
        self.basis = basis
        var opened = State()
        let known = Self.open(visitorID, &opened, basis, snapshot)
        let visitor = Visitor.make(id: visitorID, attributes: attributes, state: known, project: snapshot.project)
        state = Mutex(Guarded(visitor: visitor, state: opened))
    }

    private init(visitorID: String, attributes: JSObject, locationProperties: JSObject?, bases: ContextBases) {
        self.visitorID = visitorID
        self.locationProperties = locationProperties
        basis = bases.current
        state = Mutex(Guarded(state: State(waiting: Waiting(bases: bases, attributes: attributes))))
        if let segments = state.withLock({ adoptSnapshot(&$0) }) { didAdoptSnapshot(storing: segments) }
    }

    deinit {
        guard hasUnstored.load(ordering: .relaxed) else { return }
        state.withLock { guarded in
            guard guarded.state.hasUnstored, let isPreviewing = guarded.visitor?.isPreviewing,
                let snapshot = snapshot(guarded.state)
            else { return }
            _ = commit([], of: snapshot, isPreviewing: isPreviewing, &guarded.state)
        }
    }

    /// Runs `body` on the visitor under the context's lock; returns `nil` if there is no config.
    ///
    /// - Parameters:
    ///   - givesBack: whether to drop the snapshot of ``borrow(_:showing:)`` first: after the preview, no visitor may
    ///     be bucketed into its experience.
    ///   - request: called under the same lock if there is no config, to keep a request.
    func withVisitor<Result: Sendable>(
        givingBack givesBack: Bool = false, orRequest request: (inout Requests) -> Void = { _ in },
        _ body: (inout State, ConfigSnapshot, inout Visitor) -> Result
    ) -> Result? {
        withVisitor(givingBack: givesBack, orRequest: request, or: nil, body)
    }

    /// Like ``withVisitor(givingBack:orRequest:_:)``; returns `fallback` if there is no config.
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
                guarded.state.details.borrowed = nil
            }
            if let snapshot = guarded.state.replacement {
                refresh(&guarded, in: snapshot)
                return guarded.visitor?.run(&guarded.state, snapshot, body) ?? fallback()
            }
            return basis.withSnapshot { snapshot in
                refresh(&guarded, in: snapshot)
                return guarded.visitor?.run(&guarded.state, snapshot, body)
            } ?? fallback()
        }
        if let adopted { didAdoptSnapshot(storing: adopted) }
        return result
    }

    /// The snapshot that decides; `nil` as long as there is no config.
    private func snapshot(_ state: State) -> ConfigSnapshot? { state.replacement ?? basis.snapshot }

    /// Adds an experience to the context's snapshot with `borrow`, and previews it with `show`. Returns whether both
    /// succeeded.
    ///
    /// A previously borrowed snapshot is dropped under the same lock, whatever the result: it has an experience of
    /// another preview, which is not part of the context's own config either.
    func borrow(
        _ borrow: (ConfigSnapshot) -> ConfigSnapshot?, showing show: (ConfigSnapshot, inout Visitor) -> Bool
    ) -> Bool {
        state.withLock { guarded in
            if !guarded.state.isPlain { guarded.state.details.borrowed = nil }
            guard let own = snapshot(guarded.state), let snapshot = borrow(own),
                guarded.visitor?.run(&guarded.state, snapshot, { show($1, &$2) }) ?? false
            else { return false }
            guarded.state.details.borrowed = snapshot
            return true
        }
    }

    /// Returns the known state of the visitor. With a ledger, finds or creates the visitor's record, and starts loading
    /// it unless it is being loaded.
    private static func open(
        _ visitorID: String, _ state: inout State, _ basis: ContextBasis, _ snapshot: ConfigSnapshot
    ) -> VisitorState {
        if visitorID.isEmpty || !basis.hasLedger && basis.records.generation == 0 { return VisitorState() }
        let key = snapshot.visitorKey(visitorID)
        guard let record = basis.hasLedger ? basis.records.opened(key) : basis.records.record(key) else {
            return VisitorState()
        }
        let (known, revision) = record.current
        (state.record, state.revision) = (record, revision)
        return known
    }

    /// Updates the visitor's state from the record, which other contexts change too.
    @inline(__always)
    func refresh(_ guarded: inout Guarded, in snapshot: ConfigSnapshot) {
        let revision = guarded.state.record?.revision ?? basis.records.generation
        if revision != guarded.state.revision { readRecord(&guarded, in: snapshot) }
    }

    @inline(never)
    private func readRecord(_ guarded: inout Guarded, in snapshot: ConfigSnapshot) {
        guard var visitor = guarded.visitor.take() else { return }
        readRecord(&guarded.state, &visitor, in: snapshot)
        guarded.visitor = consume visitor
    }

    func readRecord(_ state: inout State, _ visitor: inout Visitor, in snapshot: ConfigSnapshot) {
        let generation = basis.records.generation
        guard !visitorID.isEmpty,
            let record = state.record ?? basis.records.record(snapshot.visitorKey(visitorID))
        else {
            state.revision = generation
            return
        }
        var (known, revision) = record.current
        (state.record, state.revision) = (record, revision)
        if let unstored = state.details.unstored { known.apply(unstored) }
        visitor.replaceState(known, in: snapshot.experiences.project)
    }

    /// Adopts the current config. Returns the requested segments that it stored, or `nil` if there is no config.
    private func adoptSnapshot(_ guarded: inout Guarded) -> JSObject? {
        guard let waiting = guarded.state.waiting, let snapshot = waiting.bases.current.snapshot else { return nil }
        var state = State()
        let known = Self.open(visitorID, &state, basis, snapshot)
        var visitor = snapshot.experiences.visitor(id: visitorID, attributes: waiting.attributes, state: known)
        if let preview = waiting.requests.preview {
            snapshot.experiences.setPreview(
                experienceID: preview.experienceID, variationID: preview.variationID, for: &visitor)
        }
        let requested = waiting.requests.segments(whilePreviewing: visitor.isPreviewing)
        if snapshot !== basis.snapshot { state.details.adopted = snapshot }
        var changes: [VisitorStateChange] = []
        if !visitorID.isEmpty, let change = snapshot.experiences.segmentChange(in: waiting.attributes, of: known) {
            // Requested segments are stored at once, and these with them.
            if requested == nil { state.details.unstored = change } else { changes.append(change) }
            hasUnstored.store(requested == nil, ordering: .relaxed)
        }
        for round in requested?.rounds ?? [] {
            visitor.apply(.segments(round), in: snapshot.experiences.project)
            changes.append(.segments(round))
        }
        guarded.state = state
        if !visitorID.isEmpty && !changes.isEmpty {
            _ = commit(changes.map { .store($0) }, of: snapshot, isPreviewing: false, &guarded.state)
        }
        guarded.visitor = consume visitor
        return requested?.merged ?? JSObject()
    }

    /// Informs listeners, after the lock was released.
    private func didAdoptSnapshot(storing segments: JSObject) {
        if !segments.isEmpty { engine.hub.tell(.segments(visitorID: visitorID, segments)) }
    }
}
