import ConvertConcurrency

/// Writing what waits, for a flush and at the end.
extension VisitorRecords {
    /// Writes what waits or is held back now. Returns when that is done or failed: whether anything was held back.
    @discardableResult
    func flush() async -> Bool {
        guard let writer else { return false }
        // Changes are held back while a record is loaded, and that may take no longer than this.
        let end = time.now + writer.policy.timeout
        let ends = memory.collect { _, visitor in visitor.awaitedLoad?.end }
        await writer.flush()
        await withTaskGroup(of: Bool.self) { group in
            for latch in ends { group.addTask { [time] in await latch.wait(until: end, by: time) } }
            for await isOver in group where isOver { await writer.flush() }
        }
        return !ends.isEmpty
    }

    /// Waits for the loads that something waits for, until `deadline`, and gives up those that are not over then: they
    /// count as failed. It takes until `end` at the latest.
    func endLoads(until deadline: Duration, atLatest end: Duration) async {
        let loads = memory.collect { key, visitor in visitor.awaitedLoad.map { (key, $0.number, $0.end) } }
        for (key, number, latch) in loads {
            if await latch.wait(until: deadline, by: time) { continue }
            giveUpLoad(number, for: key)
            _ = await latch.wait(until: end, by: time)
        }
    }

    /// Writes what waits, and what fails again soon after, until nothing is left or the task is cancelled.
    func drain() async {
        guard let writer else { return }
        await flush()
        while unsavedCount > state.withLock({ $0.lost }) {
            guard (try? await time.sleep(until: time.now + writer.policy.drainInterval)) != nil else { return }
            await flush()
        }
    }

    /// Stops writing by itself.
    func close() {
        writer?.close()
        let restoring = state.withLock { state in
            state.isClosed = true
            return state.restoring
        }
        restoring?.cancel()
        isRestored.open()
    }
}
