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
        /// How many visitors may wait; the changes of further ones are dropped, and said so.
        var capacity = 10_000
        /// How many visitors are written at once. Each waits for its turn among the requests that a busy server serves, and
        /// a store may take those that come together in one go.
        var concurrency = 64
        /// How long one call of the store may take.
        var timeout = Duration.seconds(10)
        /// How many calls of `load` may be under way, those that were given up and never returned included.
        var loadLimit = 10_000
        /// The waits after passes that failed.
        var backoff = Backoff()
        /// How long a drain waits before it tries a store again.
        var drainInterval = Duration.milliseconds(100)
    }

    private struct State {
        var waiting: [PropertyKey: VisitorState] = [:]
        var beingSaved: [PropertyKey: VisitorState] = [:]
        /// Keys for which a call of `save` has not returned, given up or not.
        var saving: Set<PropertyKey> = []
        /// Number of calls of `load` that have not returned.
        var loadCount = 0
        /// The visitors of those who hold changes back, by the holder's number.
        var holders: [Int: PropertyKey] = [:]
        var lastHolder = 0
        /// Opens when the next holder is done; made for those who wait.
        var nextRelease: Latch?
        var dropped = 0
        var failures = 0
        var isArmed = false
        var isClosed = false
        var lastPass: Task<Void, Never>?
        var timer: Task<Void, Never>?
        var generator: any RandomNumberGenerator & Sendable

        /// The changes for `key` that the store may not have.
        func unsaved(_ key: PropertyKey) -> VisitorState {
            (beingSaved[key] ?? VisitorState()).merging(waiting[key] ?? VisitorState())
        }
    }

    private let store: any VisitorStore
    private let policy: Policy
    private let time: any TimeSource
    private let log: Diagnostics
    private let hub: EventHub
    private let state: Mutex<State>

    init(
        _ store: any VisitorStore, policy: Policy = Policy(), surroundings: Surroundings, log: Diagnostics,
        hub: EventHub
    ) {
        self.store = store
        self.policy = policy
        time = surroundings.time
        self.log = log
        self.hub = hub
        state = Mutex(State(generator: surroundings.makeGenerator()))
    }

    /// Number of visitors whose changes are not in the store yet, those held back too, and of changes that never will be.
    /// It takes time linear to them.
    var unsavedCount: Int {
        state.withLock { state in
            let keys = Set(state.waiting.keys).union(state.beingSaved.keys).union(state.holders.values)
            return keys.count + state.dropped
        }
    }

    /// The record under `key` with the changes that wait for the store, or `nil` if there is none, the store does not answer
    /// properly in time, or too many loads are under way.
    func load(_ key: String) async -> VisitorState? {
        // Asked for before the store is, because what waits now may be saved meanwhile.
        let unsaved = state.withLock { state -> VisitorState? in
            guard state.loadCount < policy.loadLimit else { return nil }
            state.loadCount += 1
            return state.unsaved(PropertyKey(key))
        }
        guard let unsaved else {
            log.once(
                .storeLoadLimit,
                "\(policy.loadLimit) loads of the visitor store are under way; further visitors count as new meanwhile."
            )
            return nil
        }
        do {
            let stored = try await withDeadline(policy.timeout, by: time) { [self] in
                defer { endLoad() }
                return try await store.load(key)
            }
            let later = state.withLock { $0.unsaved(PropertyKey(key)) }
            let record = (stored ?? VisitorState()).merging(unsaved).merging(later)
            return stored == nil && record.isEmpty ? nil : record
        } catch {
            log.once(.storeLoad, "the visitor store cannot be read (\(type(of: error))); its visitors count as new.")
            return nil
        }
    }

    /// A load returned, maybe long after it was given up.
    private func endLoad() {
        let isOver = state.withLock { state in
            state.loadCount -= 1
            return state.loadCount <= policy.loadLimit / 2
        }
        if isOver { log.clear(.storeLoadLimit) }
    }

    /// Takes changes. It returns at once.
    func add(_ changes: VisitorState, for key: String) {
        guard !changes.isEmpty else { return }
        let (isTaken, isBatch) = state.withLock { state in
            let key = PropertyKey(key)
            let waiting = state.waiting[key]
            guard waiting != nil || state.waiting.count < policy.capacity else {
                state.dropped += 1
                return (false, false)
            }
            state.waiting[key] = (waiting ?? VisitorState()).merging(changes)
            arm(&state, after: policy.interval)
            let isFull = waiting == nil && state.waiting.count == policy.batchSize
            // A store that fails is given its pause.
            return (true, isFull && state.failures == 0 && !state.isClosed)
        }
        if isBatch { _ = beginPass() }
        if !isTaken {
            log.once(.storeFull, "too many visitors wait for the visitor store; the changes of others are dropped.")
        }
    }

    /// Announces changes for `key` that come later, once it is known what they are changes of. Returns the number to call
    /// ``endHolding(_:)`` with.
    func beginHolding(_ key: String) -> Int {
        state.withLock { state in
            state.lastHolder += 1
            state.holders[state.lastHolder] = PropertyKey(key)
            return state.lastHolder
        }
    }

    /// Says that changes that were held back have been added.
    func endHolding(_ holder: Int) {
        let release = state.withLock { state in
            state.holders[holder] = nil
            return state.nextRelease.take()
        }
        release?.open()
    }

    /// Writes what waits or is held back now. Returns when that is done or failed.
    func flush() async {
        // Changes are held back while a record is loaded, and that may take no longer than this.
        let end = time.now + policy.timeout
        var holders = state.withLock { Array($0.holders.keys) }
        while true {
            // Looked for before the pass begins: it has the changes of those who are done by now.
            let release = state.withLock { state -> Latch? in
                holders.removeAll { state.holders[$0] == nil }
                if holders.isEmpty { return nil }
                let release = state.nextRelease ?? Latch()
                state.nextRelease = release
                return release
            }
            await beginPass().value
            guard let release, await release.wait(until: end, by: time) else { return }
        }
    }

    /// Writes what waits or is held back, and what fails again soon after, until nothing is left or the task is cancelled.
    func drain() async {
        await flush()
        while state.withLock({ !$0.waiting.isEmpty || !$0.holders.isEmpty }) {
            guard (try? await time.sleep(until: time.now + policy.drainInterval)) != nil else { return }
            await flush()
        }
    }

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
            state.beingSaved = state.waiting
            // A save that was given up goes on until the store returns, and no other one of its visitor may begin before.
            for key in state.saving { state.beingSaved[key] = nil }
            for key in state.beingSaved.keys { state.waiting[key] = nil }
            if state.beingSaved.isEmpty && !state.waiting.isEmpty {
                arm(&state, after: max(policy.interval, policy.drainInterval))
            }
            return Array(state.beingSaved)
        }
        guard !batch.isEmpty else { return }
        let failed = await save(batch)
        let saved = batch.count - failed.count
        state.withLock { state in
            state.beingSaved = [:]
            for (key, changes) in failed {
                // What came meanwhile is newer.
                state.waiting[key] = state.waiting[key].map { changes.merging($0) } ?? changes
            }
            state.failures = failed.isEmpty ? 0 : state.failures + 1
            guard !state.waiting.isEmpty else { return }
            let delay = policy.backoff.delay(after: state.failures, using: &state.generator)
            arm(&state, after: failed.isEmpty ? policy.interval : max(delay, policy.interval))
        }
        if failed.isEmpty {
            log.clear(.storeSave)
        } else {
            log.once(.storeSave, "\(failed.count) visitors could not be saved; they will be tried again.")
        }
        hub.fire(.storeReleased(saved: saved, failed: failed.count))
    }

    /// Saves `batch`, several at a time, and returns what could not be saved.
    private func save(_ batch: [(key: PropertyKey, value: VisitorState)]) async -> [(PropertyKey, VisitorState)] {
        await withTaskGroup(of: (PropertyKey, VisitorState)?.self) { group in
            var rest = batch[...]
            var failed: [(PropertyKey, VisitorState)] = []
            for _ in 0..<policy.concurrency { addNext(of: &rest, to: &group) }
            while let result = await group.next() {
                if let result { failed.append(result) }
                addNext(of: &rest, to: &group)
            }
            return failed
        }
    }

    private func addNext(
        of rest: inout ArraySlice<(key: PropertyKey, value: VisitorState)>,
        to group: inout TaskGroup<(PropertyKey, VisitorState)?>
    ) {
        guard let (key, changes) = rest.popFirst() else { return }
        group.addTask { [self] in
            state.withLock { _ = $0.saving.insert(key) }
            do {
                try await withDeadline(policy.timeout, by: time) { [self] in
                    defer { state.withLock { _ = $0.saving.remove(key) } }
                    try await store.save(changes, for: key.name)
                }
                return nil
            } catch {
                return (key, changes)
            }
        }
    }
}
