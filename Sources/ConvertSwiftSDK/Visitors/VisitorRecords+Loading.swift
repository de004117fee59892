import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// One load of a visitor's record at a time serves all who wait for it.
extension VisitorRecords {
    /// What came of a load.
    enum Answer: Sendable {
        /// The store's record, if it has one.
        case read(VisitorState?)
        /// The store did not answer properly, or not in time.
        case failed
    }

    /// A load that is about to begin.
    struct QueuedLoad: Sendable {
        let key: PropertyKey
        let number: Int
    }

    /// Joins the load of the record under `key`, or begins one. Returns its number, or `nil` if too many are under way.
    func load(_ key: PropertyKey, for waiter: RecordWaiter? = nil) -> Int? { open(key, for: waiter).load }

    /// As ``load(_:for:)``, and returns what is known of the visitor meanwhile.
    func open(_ key: PropertyKey, for waiter: RecordWaiter? = nil) -> (known: VisitorState?, load: Int?) {
        let (known, joined) = enter(key, for: waiter, isQueued: true)
        if let joined, joined.isNew {
            beginnings.add(QueuedLoad(key: key, number: joined.number)) { [weak self] in self?.begin($0) }
        }
        return (known, joined?.number)
    }

    /// As ``load(_:for:)``, but leaves it to others to ask the store, and to end the load, if it `isNew`.
    func join(_ key: PropertyKey) -> (number: Int, isNew: Bool)? { enter(key, for: nil, isQueued: false).load }

    private typealias Entrance = (known: VisitorState?, load: (number: Int, isNew: Bool)?)

    private func enter(_ key: PropertyKey, for waiter: RecordWaiter?, isQueued: Bool) -> Entrance {
        guard let writer else { return (memory.record(key), nil) }
        let entrance = memory.change(key) { part, key -> Entrance in
            let known = part.records.value(of: key)
            // In place: a copy of what is open would retain all of it.
            let load = part.withOpened(key) { open -> (number: Int, isNew: Bool)? in
                if let number = open.load?.number {
                    if let waiter { open.load?.waiters.append(waiter) }
                    return (number, false)
                }
                let number = state.withLock { state -> Int? in
                    guard state.loadCount < writer.policy.loadLimit else { return nil }
                    state.loadCount += 1
                    state.lastLoad += 1
                    return state.lastLoad
                }
                guard let number else { return nil }
                open.load = OpenVisitor.Load(
                    number: number, unsaved: writer.unsaved(key), isQueued: isQueued,
                    waiters: waiter.map { [$0] } ?? [], end: waiter?.end ?? Latch())
                return (number, true)
            }
            if load == nil { part.closeIfDone(key) }
            return (known, load)
        }
        if entrance.load == nil {
            log.once(
                .storeLoadLimit,
                "\(writer.policy.loadLimit) loads of the visitor store are under way; further visitors count as new "
                    + "meanwhile.")
        }
        return entrance
    }

    private func begin(_ queued: [QueuedLoad]) {
        if isRestored.isOpen || PlantedFault.isPlanted("loads-before-claims") {
            for load in queued { begin(load) }
        } else {
            // What nobody in memory keeps but the journal is part of what is stored. It may be much, and take its time.
            Task {
                _ = await isRestored.wait()
                for load in queued { begin(load) }
            }
        }
    }

    private func begin(_ queued: QueuedLoad) {
        guard let source else { return }
        let key = queued.key
        let call = memory.change(key) { part, property -> Int? in
            // It may have been given up.
            guard let load = part.open[property]?.load, load.number == queued.number, load.answer == nil
            else { return nil }
            let call = loads.reserveID()
            part.open[property]?.load?.isQueued = false
            part.open[property]?.load?.call = call
            state.withLock { $0.loading[key, default: 0] += 1 }
            return call
        }
        guard let call else { return endCall(limit: source.policy.loadLimit) }
        let hasBegun = loads.begin(as: call) { [self] in
            defer { endCall(limit: source.policy.loadLimit, for: key) }
            return try await source.store.load(queued.key.name)
        } whenOver: { [self] result in
            endLoad(queued.number, for: key, with: answer(result))
        }
        if !hasBegun { endCall(limit: source.policy.loadLimit, for: key) }
    }

    private func answer(_ result: Result<VisitorState?, any Error>) -> Answer {
        switch result {
        case .success(let record):
            log.clear(.storeLoad)
            return .read(record)
        case .failure(let error):
            log.once(.storeLoad, "the visitor store cannot be read (\(type(of: error))); its visitors count as new.")
            return .failed
        }
    }

    /// Gives up a load that is not over: it counts as failed.
    func giveUpLoad(_ number: Int, for key: PropertyKey) {
        let (call, isQueued) = memory.change(key) { part, key -> (Int?, Bool) in
            guard let load = part.open[key]?.load, load.number == number else { return (nil, false) }
            return (load.call, load.isQueued)
        }
        if let call { loads.cancel(call) }
        if isQueued { endLoad(number, for: key, with: .failed) }
    }

    /// A call of the store's `load` returned, maybe long after it was given up.
    private func endCall(limit: Int, for key: PropertyKey? = nil) {
        let isOver = state.withLock { state in
            if let key, let count = state.loading[key] { state.loading[key] = count > 1 ? count - 1 : nil }
            state.loadCount -= 1
            return state.loadCount <= limit / 2
        }
        if isOver { log.clear(.storeLoadLimit) }
    }

    /// Ends a load: what contexts held is settled against what is stored, becomes part of the record, and the contexts take
    /// that over. While the journal has yet to answer for some of it, that waits.
    ///
    /// - Returns: the record.
    @discardableResult
    func endLoad(_ number: Int, for key: PropertyKey, with answer: Answer) -> VisitorState? {
        let ended = memory.change(key) { part, key -> EndedLoad? in
            guard let load = part.open[key]?.load, load.number == number else { return nil }
            if load.held.announced > 0 {
                part.open[key]?.load?.answer = answer
                return nil
            }
            return end(load, of: key, with: answer, in: &part)
        }
        guard let ended else { return nil }
        if !ended.isTaken { didRefuse() }
        for waiter in ended.load.waiters { waiter.adopter?.adopt(ended.record) }
        performConversions(for: key, andOpen: [ended.load.end] + ended.load.waiters.map(\.end))
        return ended.record
    }

    private struct EndedLoad {
        let load: OpenVisitor.Load
        /// What is stored, with everything newer.
        let record: VisitorState
        /// Whether there was room for what contexts held.
        let isTaken: Bool
    }

    private func end(
        _ load: OpenVisitor.Load, of key: PropertyKey, with answer: Answer, in part: inout VisitorMemory.Part
    ) -> EndedLoad {
        var stored = VisitorState()
        if case .read(let found?) = answer { stored = found }
        // What the store has or will have, and what is known: without room the two are not the same.
        var lasting = stored.merging(load.unsaved)
        var record = record(lasting, changedBy: load.newer, answer, known: part.records.value(of: key))
        lasting = lasting.merging(load.kept)
        func settle(_ held: HeldChanges) -> WriteBehind.Unsaved {
            let changes = held.changes(of: lasting)
            let replaced = changes.replaced(in: lasting)
            lasting = lasting.merging(changes)
            record = record.merging(held.changes(of: record))
            return WriteBehind.Unsaved(changes: changes, replaced: replaced, rows: held.rows)
        }
        var held = load.held
        if let restored = part.open[key]?.restored {
            let unsaved = settle(restored)
            if case .read = answer {
                part.open[key]?.restored = nil
                state.withLock { $0.restoredCount -= 1 }
                _ = writer?.add(unsaved, for: key, isForced: true)
            } else {
                // A row that was read while a context held its claim goes with what was read.
                held.rows.removeAll { restored.rows.contains($0) }
            }
        }
        let unsaved = settle(held)
        part.open[key]?.load = nil
        part.closeIfDone(key)
        part.update(key) { $0 = $0.updated(by: record) }
        let isTaken = PlantedFault.isPlanted("held-changes-dropped") || writer?.add(unsaved, for: key) ?? true
        // Rows that come from here on are to find it noted.
        if !isTaken { state.withLock { $0.refuse(load.held, ofLoad: load.number) } }
        return EndedLoad(load: load, record: record, isTaken: isTaken)
    }

    /// The record after a load, but for what contexts held.
    ///
    /// - Parameters:
    ///   - lasting: what the store has or will have.
    ///   - newer: what was changed since the load began.
    ///   - known: what memory has, all changes included that it made part of the record.
    private func record(
        _ lasting: VisitorState, changedBy newer: VisitorState, _ answer: Answer, known: VisitorState?
    ) -> VisitorState {
        guard let known else { return lasting.merging(newer) }
        switch answer {
        // Without the store's record, what memory has is the latest.
        case .failed: return lasting.merging(newer).updated(by: known)
        case .read:
            // What found no room may be in memory alone.
            let hasRefused = state.withLock { $0.lost + $0.spilled > 0 }
            return (hasRefused ? lasting.merging(known) : lasting).merging(newer)
        }
    }
}
