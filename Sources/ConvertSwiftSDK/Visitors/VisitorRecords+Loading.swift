import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

extension VisitorRecords {
    /// Begins a load of the record under `key`, which ends with ``settle(_:for:with:)``. `end` is opened then. Returns the
    /// load's number, or `nil` if too many loads are under way.
    func beginLoad(_ key: String, opening end: Latch) -> Int? {
        guard let writer else { return nil }
        let number = state.withLock { state -> Int? in
            guard state.loadCount < writer.policy.loadLimit else { return nil }
            state.loadCount += 1
            state.lastLoad += 1
            return state.lastLoad
        }
        guard let number else {
            log.once(
                .storeLoadLimit,
                "\(writer.policy.loadLimit) loads of the visitor store are under way; further visitors count as new "
                    + "meanwhile.")
            return nil
        }
        open(number, for: key, opening: end)
        return number
    }

    func open(_ number: Int, for key: String, opening end: Latch) {
        memory.change(PropertyKey(key)) { part, key in
            part.open[key, default: OpenVisitor()].loads[number] = OpenVisitor.Load(
                unsaved: writer?.unsaved(key) ?? VisitorState(), end: end)
        }
    }

    /// Performs a load that has begun, and hands its answer to `body`.
    func load(_ number: Int, for key: String, _ body: @escaping @Sendable (Answer) -> Void) {
        state.withLock { state in
            state.loads[number] = Task {
                body(await answer(for: key))
                self.state.withLock { _ = $0.loads.removeValue(forKey: number) }
            }
        }
    }

    private func answer(for key: String) async -> Answer {
        guard let source else { return .failed }
        do {
            return .read(
                try await withDeadline(source.policy.timeout, by: time) { [self] in
                    defer { endCall(limit: source.policy.loadLimit) }
                    // What an earlier process left in the journal is part of what is stored.
                    guard await isRestored.wait() else { throw CancellationError() }
                    return try await source.store.load(key)
                })
        } catch {
            log.once(.storeLoad, "the visitor store cannot be read (\(type(of: error))); its visitors count as new.")
            return .failed
        }
    }

    /// A call of the store's `load` returned, maybe long after it was given up.
    private func endCall(limit: Int) {
        let isOver = state.withLock { state in
            state.loadCount -= 1
            return state.loadCount <= limit / 2
        }
        if isOver { log.clear(.storeLoadLimit) }
    }

    /// Ends a load: what the context held is settled against what is stored, and becomes part of the record.
    ///
    /// - Returns: what is stored, with everything newer that others know; and what the context held, as far as it holds.
    func settle(
        _ number: Int, for key: String, with answer: Answer
    ) -> (known: VisitorState, changes: VisitorState) {
        var isTaken = true
        let result = memory.change(PropertyKey(key)) { part, key -> (VisitorState, VisitorState) in
            guard let load = part.open[key]?.loads.removeValue(forKey: number) else {
                return (VisitorState(), VisitorState())
            }
            var known = VisitorState()
            if case .read(let stored?) = answer { known = stored }
            if let restored = part.open[key]?.restored {
                let changes = restored.changes(of: known)
                known = known.merging(changes)
                if case .read = answer {
                    part.open[key]?.restored = nil
                    state.withLock { $0.restoredCount -= 1 }
                    part.open[key]?.note(changes)
                    isTaken = writer?.add(changes, standingFor: restored.rows, for: key) ?? true
                }
            }
            known = known.merging(load.unsaved).merging(load.newer)
            var changes = load.held
            changes.forgetDecisions(in: known)
            part.open[key]?.note(changes)
            if part.open[key]?.isClosed ?? false { part.open[key] = nil }
            part.update(key) { $0 = $0.merging(known).merging(changes) }
            isTaken = writer?.add(changes, standingFor: load.rows, for: key) ?? true && isTaken
            return (known, changes)
        }
        if !isTaken { writer?.sayFull() }
        return (known: result.0, changes: result.1)
    }

    /// Waits for the loads that something waits for, until `deadline`, and gives up those that are not over then: they
    /// count as failed.
    func endLoads(until deadline: Duration) async {
        let ends = memory.collect { _, visitor in visitor.awaitedLoads.map { ($0.key, $0.value.end) } }
        for (number, end) in ends.flatMap({ $0 }) {
            if await end.wait(until: deadline, by: time) { continue }
            let task = state.withLock { $0.loads[number] }
            task?.cancel()
            _ = await end.wait()
        }
    }
}
