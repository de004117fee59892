import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// Writes visitors' changes to a store some time after they were made: those of one visitor together, failures again.
///
/// A store that saves nobody is given a pause. One that saves others is well, and who could not be saved is tried again in a
/// time of their own, so that they hold up nobody.
final class WriteBehind: Sendable {
    struct Policy: Sendable {
        /// How long changes wait for further ones.
        var interval = Duration.seconds(1)
        /// From this many visitors on, their changes do not wait for further ones.
        var batchSize = 1000
        /// How many visitors may wait; the changes of further ones are refused.
        var capacity = 10_000
        /// How many visitors are written at once. Each waits for its turn among the requests that a busy server serves, and
        /// a store may take those that come together in one go.
        var concurrency = 64
        /// How long one call of the store may take.
        var timeout = Duration.seconds(10)
        /// How many loads may be under way, those that were given up and never returned included.
        var loadLimit = 10_000
        /// The waits after passes that failed.
        var backoff = Backoff()
        /// How long a drain waits before it tries a store again.
        var drainInterval = Duration.milliseconds(100)
    }

    /// What of one visitor the store does not have.
    struct Unsaved: Sendable {
        private(set) var settlement: VisitorChanges
        /// The journal's rows that stand for it; they are forgotten once it is saved.
        var rows: [Int64]
        /// How many of the changes the journal has yet to answer for. Before that they are not saved.
        var announced: Int

        /// - Parameter replaced: as in ``VisitorChanges``.
        init(
            changes: VisitorState = VisitorState(), replaced: [PropertyKey: [JSValue]] = [:], rows: [Int64] = [],
            announced: Int = 0
        ) {
            settlement = VisitorChanges(changes, replaced: replaced)
            self.rows = rows
            self.announced = announced
        }

        var changes: VisitorState { settlement.changes }

        mutating func append(_ newer: Unsaved) {
            settlement.append(newer.settlement)
            rows += newer.rows
            announced += newer.announced
        }
    }

    /// When a visitor is tried again.
    struct Retry {
        var failures = 0
        var time = Duration.zero
    }

    struct State {
        var waiting: [PropertyKey: Unsaved] = [:]
        /// How many of the changes among those the journal has yet to answer for.
        var announced = 0
        var beingSaved: [PropertyKey: Unsaved] = [:]
        /// How many of those being saved have newer changes waiting.
        var doubles = 0
        /// Keys for which a call of `save` has not returned, given up or not.
        var saving: Set<PropertyKey> = []
        /// Visitors who could not be saved while others could.
        var retries: [PropertyKey: Retry] = [:]
        /// How many passes in a row found a store that saves nobody.
        var failures = 0
        /// Until when the store is given its pause.
        var pauseEnd: Duration?
        /// When the next pass begins, if nobody begins one before.
        var nextPass: Duration?
        var isClosed = false
        var lastPass: Task<Void, Never>?
        var timer: Task<Void, Never>?
        var whenRoom: (@Sendable () -> Void)?
        var whenSettled: (@Sendable (PropertyKey, VisitorChanges, VisitorState) -> Void)?
        var generator: any RandomNumberGenerator & Sendable

        /// Number of visitors.
        var count: Int { waiting.count + beingSaved.count - doubles }
    }

    let policy: Policy
    let store: any VisitorStore
    /// The same, if it is one that machines share.
    let shared: (any SharedVisitorStore)?
    /// Calls of its `save`.
    let saves: TimedCalls
    let time: any TimeSource
    let log: Diagnostics
    let hub: EventHub
    /// Makes the journal forget rows.
    let forget: @Sendable ([Int64]) -> Void
    let state: Mutex<State>

    init(
        _ store: any VisitorStore, policy: Policy = Policy(), surroundings: Surroundings, log: Diagnostics,
        hub: EventHub, forget: @escaping @Sendable ([Int64]) -> Void = { _ in }
    ) {
        self.store = store
        shared = store as? any SharedVisitorStore
        self.policy = policy
        time = surroundings.time
        saves = TimedCalls(within: policy.timeout, by: time)
        self.log = log
        self.hub = hub
        self.forget = forget
        state = Mutex(State(generator: surroundings.makeGenerator()))
    }

    /// Number of visitors that are among `others` or whose changes are not in the store yet. It takes time linear to them.
    func unsavedCount(with others: [PropertyKey] = []) -> Int {
        state.withLock { Set($0.waiting.keys).union($0.beingSaved.keys).union(others).count }
    }

    /// Whether there is room for many more visitors.
    var hasRoom: Bool { state.withLock { hasRoom($0) } }

    func hasRoom(_ state: State) -> Bool { state.count <= policy.capacity / 2 }

    /// The changes for `key` that the store may not have.
    func unsaved(_ key: PropertyKey) -> VisitorState {
        state.withLock { state in
            let saved = state.beingSaved.isEmpty ? nil : state.beingSaved[key]?.changes
            guard let waiting = state.waiting[key]?.changes else { return saved ?? VisitorState() }
            return saved?.merging(waiting) ?? waiting
        }
    }

    /// The changes for `key` that are not being saved yet.
    func waiting(_ key: PropertyKey) -> VisitorState {
        state.withLock { $0.waiting[key]?.changes ?? VisitorState() }
    }

    /// Takes what the store does not have of the visitor. It returns at once: whether there was room.
    ///
    /// - Parameter isForced: whether it is taken in any case.
    func add(_ unsaved: Unsaved, for key: PropertyKey, isForced: Bool = false) -> Bool {
        if unsaved.changes.isEmpty {
            // Nothing came of the claims, or the store has it.
            addRows(unsaved.rows, for: key)
            return true
        }
        let (isTaken, isBatch) = state.withLock { state in
            let isNew = state.waiting[key] == nil
            let isDouble = isNew && state.beingSaved[key] != nil
            guard !isNew || isDouble || isForced || state.count < policy.capacity else { return (false, false) }
            if isDouble { state.doubles += 1 }
            state.waiting[key, default: Unsaved()].append(unsaved)
            state.announced += unsaved.announced
            arm(&state, for: time.now + policy.interval)
            // A store that fails is given its pause.
            let isFull = isNew && state.waiting.count == policy.batchSize
            return (true, isFull && state.failures == 0 && !state.isClosed)
        }
        if isBatch { _ = beginPass() }
        return isTaken
    }

    /// Ends the announcement of changes that were taken: they may be saved, and leave `row` then.
    func endAnnouncement(for key: PropertyKey, row: Int64?) {
        state.withLock { state in
            // Before that they are not taken from there.
            guard let index = state.waiting.index(forKey: key) else { return }
            state.announced -= 1
            state.waiting.values[index].announced -= 1
            if let row { state.waiting.values[index].rows.append(row) }
        }
    }

    /// Takes rows for changes that were taken before, and may be saved already.
    func addRows(_ rows: [Int64], for key: PropertyKey) {
        if rows.isEmpty { return }
        let isSaved = state.withLock { state in
            if state.waiting[key] != nil {
                state.waiting[key]?.rows += rows
            } else if state.beingSaved[key] != nil {
                state.beingSaved[key]?.rows += rows
            } else {
                return true
            }
            return false
        }
        if isSaved { forget(rows) }
    }

    /// Calls `body` after each round of saves that leaves room for many more visitors.
    func whenRoom(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenRoom = body } }

    /// Calls `body` when a store that machines share has settled a visitor's changes: with them, and the record as it is
    /// stored now.
    func whenSettled(_ body: @escaping @Sendable (PropertyKey, VisitorChanges, VisitorState) -> Void) {
        state.withLock { $0.whenSettled = body }
    }

    /// Writes what waits now. Returns when that is done or failed.
    func flush() async { await beginPass(ofAll: true).value }

    /// Stops writing by itself.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.timer?.cancel()
        }
    }
}
