import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// Writes visitors' changes to a store some time after they were made: those of one visitor together, failures again.
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
        var changes = VisitorState()
        /// The journal's rows that stand for it; they are forgotten once it is saved.
        var rows: [Int64] = []
        /// How many of the changes the journal has yet to answer for. Before that they are not saved.
        var announced = 0

        fileprivate mutating func append(_ newer: Unsaved) {
            changes = changes.merging(newer.changes)
            rows += newer.rows
            announced += newer.announced
        }
    }

    private struct State {
        var waiting: [PropertyKey: Unsaved] = [:]
        var beingSaved: [PropertyKey: Unsaved] = [:]
        /// How many of those being saved have newer changes waiting.
        var doubles = 0
        /// Keys for which a call of `save` has not returned, given up or not.
        var saving: Set<PropertyKey> = []
        var failures = 0
        var isArmed = false
        var isClosed = false
        var lastPass: Task<Void, Never>?
        var timer: Task<Void, Never>?
        var whenRoom: (@Sendable () -> Void)?
        var generator: any RandomNumberGenerator & Sendable

        /// Number of visitors.
        var count: Int { waiting.count + beingSaved.count - doubles }
    }

    let policy: Policy
    private let store: any VisitorStore
    private let time: any TimeSource
    private let log: Diagnostics
    private let hub: EventHub
    /// Makes the journal forget rows.
    private let forget: @Sendable ([Int64]) -> Void
    private let state: Mutex<State>

    init(
        _ store: any VisitorStore, policy: Policy = Policy(), surroundings: Surroundings, log: Diagnostics,
        hub: EventHub, forget: @escaping @Sendable ([Int64]) -> Void = { _ in }
    ) {
        self.store = store
        self.policy = policy
        time = surroundings.time
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

    private func hasRoom(_ state: State) -> Bool { state.count <= policy.capacity / 2 }

    /// The changes for `key` that the store may not have.
    func unsaved(_ key: PropertyKey) -> VisitorState {
        state.withLock { state in
            (state.beingSaved[key]?.changes ?? VisitorState()).merging(state.waiting[key]?.changes ?? VisitorState())
        }
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
            arm(&state, after: policy.interval)
            let isFull = isNew && state.waiting.count == policy.batchSize
            // A store that fails is given its pause.
            return (true, isFull && state.failures == 0 && !state.isClosed)
        }
        if isBatch { _ = beginPass() }
        return isTaken
    }

    /// Ends the announcement of changes that were taken: they may be saved, and leave `row` then.
    func endAnnouncement(for key: PropertyKey, row: Int64?) {
        state.withLock { state in
            state.waiting[key]?.announced -= 1
            if let row { state.waiting[key]?.rows.append(row) }
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

    /// Writes what waits now. Returns when that is done or failed.
    func flush() async { await beginPass().value }

    /// Stops writing by itself.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.timer?.cancel()
        }
    }

    private func arm(_ state: inout State, after delay: Duration) {
        guard !state.isArmed, !state.isClosed else { return }
        state.isArmed = true
        let deadline = time.now + delay
        state.timer = Task { [weak self, time] in
            guard (try? await time.sleep(until: deadline)) != nil else { return }
            await self?.beginPass().value
        }
    }

    /// Passes follow one another, so that no visitor is saved twice at a time.
    private func beginPass() -> Task<Void, Never> {
        state.withLock { state in
            let previous = state.lastPass
            let pass = Task {
                await previous?.value
                await self.pass()
            }
            state.lastPass = pass
            return pass
        }
    }

    private func pass() async {
        let batch = state.withLock { state in
            state.isArmed = false
            state.timer?.cancel()
            // A save that was given up goes on until the store returns, and no other one of its visitor may begin before.
            state.beingSaved = state.waiting.filter { $0.value.announced == 0 && !state.saving.contains($0.key) }
            for key in state.beingSaved.keys { state.waiting[key] = nil }
            if state.beingSaved.isEmpty && !state.waiting.isEmpty {
                arm(&state, after: max(policy.interval, policy.drainInterval))
            }
            return state.beingSaved.map { (key: $0.key, changes: $0.value.changes) }
        }
        guard !batch.isEmpty else { return }
        let failed = await save(batch)
        let (rows, whenRoom) = state.withLock { state in
            (endPass(&state, failed: failed), hasRoom(state) ? state.whenRoom : nil)
        }
        if !rows.isEmpty { forget(rows) }
        if failed.isEmpty {
            log.clear(.storeSave)
            log.log(.debug, "\(batch.count) visitors' records were saved.")
        } else {
            log.once(.storeSave, "\(failed.count) visitors could not be saved; they will be tried again.")
        }
        hub.tell(.storeReleased(saved: batch.count - failed.count, failed: failed.count))
        whenRoom?()
    }

    /// Returns the rows of what was saved.
    private func endPass(_ state: inout State, failed: Set<PropertyKey>) -> [Int64] {
        var rows: [Int64] = []
        for (key, unsaved) in state.beingSaved {
            guard failed.contains(key) else {
                rows += unsaved.rows
                continue
            }
            var all = unsaved
            // What came meanwhile is newer.
            if let newer = state.waiting[key] { all.append(newer) }
            state.waiting[key] = all
        }
        state.beingSaved = [:]
        state.doubles = 0
        state.failures = failed.isEmpty ? 0 : state.failures + 1
        if failed.isEmpty {
            if !state.waiting.isEmpty { arm(&state, after: policy.interval) }
        } else {
            // What came meanwhile is not to shorten the pause.
            state.timer?.cancel()
            state.isArmed = false
            let delay = policy.backoff.delay(after: state.failures, using: &state.generator)
            arm(&state, after: max(delay, policy.interval))
        }
        return rows
    }

    /// Saves `batch`, several at a time, and returns whose changes could not be saved. Once a whole round of calls has not
    /// returned in time, the rest is left for later.
    private func save(_ batch: [(key: PropertyKey, changes: VisitorState)]) async -> Set<PropertyKey> {
        await withTaskGroup(of: SaveResult.self) { group in
            var rest = batch[...]
            var failed: Set<PropertyKey> = []
            var lateCount = 0
            for _ in 0..<policy.concurrency { addNext(of: &rest, to: &group) }
            while let result = await group.next() {
                if result.error != nil { failed.insert(result.key) }
                if result.error is DeadlineError { lateCount += 1 }
                if lateCount < policy.concurrency { addNext(of: &rest, to: &group) }
            }
            return failed.union(rest.lazy.map(\.key))
        }
    }

    private struct SaveResult {
        let key: PropertyKey
        let error: (any Error)?
    }

    private func addNext(
        of rest: inout ArraySlice<(key: PropertyKey, changes: VisitorState)>, to group: inout TaskGroup<SaveResult>
    ) {
        guard let (key, changes) = rest.popFirst() else { return }
        group.addTask { [self] in
            state.withLock { _ = $0.saving.insert(key) }
            do {
                try await withDeadline(policy.timeout, by: time) { [self] in
                    defer { state.withLock { _ = $0.saving.remove(key) } }
                    try await store.save(changes, for: key.name)
                }
                return SaveResult(key: key, error: nil)
            } catch {
                return SaveResult(key: key, error: error)
            }
        }
    }
}
