import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// One visitor, for as long as the app deals with them: a request, a session.
///
///     let context = sdk.createContext(visitorID: "visitor-1", attributes: ["plan": "pro"])
///     if context.decide("checkout-button").variation?.variationKey == "green" { … }
///     context.trackConversion("purchase", revenue: 49.9, transactionID: "t-1")
///
/// Decisions are synchronous. They fetch nothing and wait for nothing, neither a disk nor a network. They are made on
/// the config that was in place when the context was created; a later one serves later contexts. A context that was
/// created before the SDK had a config answers ``Decision/Reason/sdkNotReady`` until there is one, and keeps the first
/// one it sees.
///
/// What decisions imply is done by the time they return: stored decisions are in memory, and on their way to the
/// ledger; events are queued, in the order in which the context made them; listeners were notified. Only a conversion
/// waits for the visitor's record while that is being loaded from the ledger.
///
/// **What a `kill -9` costs.** What a call changes and reports is stored together, some milliseconds after it returned,
/// or not at all. Wait for ``persisted(within:)`` before you answer a request whose decision or conversion must not be
/// lost: what the context did before that is there after the process was killed, once. What was not waited for may be
/// missing, and then it never happened: the hash decides alike again, and the goal counts when it is triggered again.
///
/// A visitor has one record. Contexts of one visitor see each other's decisions, segments and goals with their next
/// call: of a decision that several of them come to, the first counts for all, and is reported once.
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
        // Optionals, because a closure copies what it captures and cannot take.
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

    /// A context with a ledger.
    /// - Parameter snapshot: that of `basis`.
    private init(
        visitorID: String, attributesWithoutSegments attributes: JSObject, locationProperties: JSObject?,
        basis: ContextBasis, snapshot: ConfigSnapshot
    ) {
        self.visitorID = visitorID
        self.locationProperties = locationProperties
        self.basis = basis
        var opened = State()
        let known = Self.open(visitorID, &opened, basis, snapshot)
        let visitor = snapshot.project.visitor(id: visitorID, attributesWithoutSegments: attributes, state: known)
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

    /// Runs `body` on the visitor under the context's lock; `nil` if there is no config.
    ///
    /// - Parameters:
    ///   - givesBack: whether the snapshot of ``borrow(_:showing:)`` is dropped first: after the preview, no visitor
    ///     may be decided into it.
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

    /// Lends the context's snapshot an experience that it does not have, as `borrow` does, and shows it, as `show`
    /// does. Returns whether both did.
    ///
    /// What was borrowed before is given back in the same moment, whatever comes of this: another preview may have been
    /// loaded meanwhile, and its experience is not the context's own either.
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

    /// Finds or makes the visitor's record, if there is a ledger, and returns what is known. It joins the load of what
    /// the ledger has, or begins one.
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

    /// Lets the visitor's state be that of the record, which other contexts change, too.
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

    /// Begins to decide on the config that is in place now. Returns the requested segments that it stored, or `nil` if
    /// there is no config.
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
            _ = commit(changes.map { .store($0) }, of: snapshot, isPreviewing: false, &guarded.state)
        }
        guarded.visitor = consume visitor
        return requested?.merged ?? JSObject()
    }

    /// Does what must wait until the lock is free.
    private func didAdoptSnapshot(storing segments: JSObject) {
        if !segments.isEmpty { engine.hub.tell(.segments(visitorID: visitorID, segments)) }
    }
}
