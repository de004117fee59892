import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore

/// The rounds in which what waits is saved.
extension WriteBehind {
    /// Makes a pass begin at `start`, or later if the store is given a pause.
    func arm(_ state: inout State, for start: Duration) {
        let start = max(start, state.pauseEnd ?? start)
        if state.isClosed { return }
        if let next = state.nextPass, next <= start { return }
        state.nextPass = start
        state.timer?.cancel()
        state.timer = Task { [weak self, time] in
            guard (try? await time.sleep(until: start)) != nil else { return }
            await self?.beginPass().value
        }
    }

    /// Passes follow one another, so that no visitor is saved twice at a time.
    ///
    /// - Parameter takesAll: whether those are tried, too, whose time has not come.
    func beginPass(ofAll takesAll: Bool = false) -> Task<Void, Never> {
        state.withLock { state in
            let previous = state.lastPass
            let pass = Task {
                await previous?.value
                await self.pass(ofAll: takesAll)
            }
            state.lastPass = pass
            return pass
        }
    }

    private func pass(ofAll takesAll: Bool) async {
        let batch = beginPass(takingAll: takesAll).map { (key: $0.key, changes: $0.value.settlement) }
        guard !batch.isEmpty else { return }
        if PlantedFault.isPlanted("claim-forgotten-before-save") {
            forget(state.withLock { $0.beingSaved.values.flatMap(\.rows) })
        }
        let result = await save(batch)
        let (saved, isWell, whenRoom) = state.withLock { state in
            let saved = endPass(&state, with: result)
            return (saved, state.retries.isEmpty && state.failures == 0, hasRoom(state) ? state.whenRoom : nil)
        }
        let rows = saved.values.flatMap(\.rows)
        if !rows.isEmpty { forget(rows) }
        let unsavedCount = batch.count - result.saved.count
        if unsavedCount > 0 {
            log.once(.storeSave, "\(unsavedCount) visitors could not be saved; they will be tried again.")
        } else {
            if isWell { log.clear(.storeSave) }
            log.log(.debug, "\(batch.count) visitors' records were saved.")
        }
        hub.tell(.storeReleased(saved: result.saved.count, failed: unsavedCount))
        whenRoom?()
    }

    /// Takes what is to be saved.
    private func beginPass(takingAll takesAll: Bool) -> [PropertyKey: Unsaved] {
        state.withLock { state in
            disarm(&state)
            state.pauseEnd = nil
            if state.announced == 0 && state.saving.isEmpty && state.retries.isEmpty {
                // As almost always: those who decide wait for the lock, and so not for as many steps as there are visitors.
                let next = [PropertyKey: Unsaved](minimumCapacity: state.waiting.count)
                state.beingSaved = state.waiting
                state.waiting = next
            } else {
                let now = time.now
                state.beingSaved = state.waiting.filter { key, unsaved in
                    // A save that was given up goes on until the store returns, and no other one of its visitor may begin
                    // before.
                    unsaved.announced == 0 && !state.saving.contains(key)
                        && (takesAll || state.retries[key].map { $0.time <= now } ?? true)
                }
                for key in state.beingSaved.keys { state.waiting[key] = nil }
            }
            if state.beingSaved.isEmpty { armForNext(&state, after: max(policy.interval, policy.drainInterval)) }
            return state.beingSaved
        }
    }

    /// Returns what was saved.
    private func endPass(_ state: inout State, with result: SaveResult) -> [PropertyKey: Unsaved] {
        var saved: [PropertyKey: Unsaved] = [:]
        if result.saved.count == state.beingSaved.count {
            swap(&saved, &state.beingSaved)
        } else {
            saved = state.beingSaved.filter { result.saved.contains($0.key) }
            for (key, unsaved) in state.beingSaved where saved[key] == nil {
                var all = unsaved
                // What came meanwhile is newer.
                if let newer = state.waiting[key], !PlantedFault.isPlanted("newer-changes-lost") { all.append(newer) }
                state.waiting[key] = all
            }
            state.beingSaved = [:]
        }
        if !state.retries.isEmpty { for key in saved.keys { state.retries[key] = nil } }
        state.doubles = 0
        let now = time.now
        if !result.saved.isEmpty {
            state.failures = 0
        } else if result.failed.contains(where: { state.retries[$0] == nil }) {
            state.failures += 1
            state.pauseEnd = now + delay(after: state.failures, using: &state.generator)
            // What came meanwhile is not to shorten the pause.
            disarm(&state)
            if !PlantedFault.isPlanted("saves-not-retried") { arm(&state, for: now) }
            return saved
        }
        for key in result.failed {
            var retry = state.retries[key] ?? Retry()
            retry.failures += 1
            retry.time = now + delay(after: retry.failures, using: &state.generator)
            state.retries[key] = retry
        }
        armForNext(&state, after: policy.interval)
        return saved
    }

    private func disarm(_ state: inout State) {
        state.nextPass = nil
        state.timer?.cancel()
    }

    /// Makes a pass begin when the first of those who wait is due; after `delay` for those who need not wait for their time.
    private func armForNext(_ state: inout State, after delay: Duration) {
        guard !state.waiting.isEmpty else { return }
        let next = time.now + delay
        if state.retries.isEmpty { return arm(&state, for: next) }
        var first = Duration.seconds(Int64.max)
        for key in state.waiting.keys { first = min(first, state.retries[key]?.time ?? next) }
        arm(&state, for: max(first, next))
    }

    private func delay(after failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        max(policy.backoff.delay(after: failures, using: &generator), policy.interval)
    }

    private struct SaveResult {
        var saved: Set<PropertyKey> = []
        /// Those who were tried in vain.
        var failed: Set<PropertyKey> = []
    }

    /// Saves `batch`, several at a time. Once a whole round of calls has not returned in time, the rest is left for later.
    private func save(_ batch: [(key: PropertyKey, changes: VisitorChanges)]) async -> SaveResult {
        await withTaskGroup(of: SingleResult.self) { group in
            var rest = batch[...]
            var result = SaveResult()
            var lateCount = 0
            for _ in 0..<policy.concurrency { addNext(of: &rest, to: &group) }
            while let (key, error) = await group.next() {
                if error == nil { result.saved.insert(key) } else { result.failed.insert(key) }
                if error is DeadlineError { lateCount += 1 }
                if lateCount < policy.concurrency { addNext(of: &rest, to: &group) }
            }
            return result
        }
    }

    private typealias SingleResult = (key: PropertyKey, error: (any Error)?)

    private func addNext(
        of rest: inout ArraySlice<(key: PropertyKey, changes: VisitorChanges)>, to group: inout TaskGroup<SingleResult>
    ) {
        guard let (key, changes) = rest.popFirst() else { return }
        group.addTask { [self] in
            state.withLock { _ = $0.saving.insert(key) }
            do {
                try await saves.value { [self] in
                    defer { state.withLock { _ = $0.saving.remove(key) } }
                    try await self.save(changes, for: key)
                }
                return (key, nil)
            } catch {
                return (key, PlantedFault.isPlanted("save-error-swallowed") ? nil : error)
            }
        }
    }

    private func save(_ changes: VisitorChanges, for key: PropertyKey) async throws {
        guard let shared else { return try await store.save(changes.changes, for: key.name) }
        let record = try await shared.settle(changes, for: key.name)
        state.withLock { $0.whenSettled }?(key, changes, record)
    }
}
