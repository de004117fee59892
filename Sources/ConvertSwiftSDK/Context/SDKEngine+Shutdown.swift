import ConvertConcurrency

extension SDKEngine {
    /// Delivers and saves what is left, and ends everything, until `end`.
    func shutDown(until end: Duration) async {
        // What was made while records are loaded becomes events and changes; the other half of the time is theirs.
        async let early: Void = delivery.flush()
        await records.endLoads(until: time.now + (end - time.now) / 2, atLatest: end)
        async let lines: Void? = decisionLog?.finish(until: end)
        async let events: Void = delivery.shutDown(deadline: end)
        await saveVisitors(until: end)
        await events
        // What was made until nothing was taken any more.
        if time.now < end { await saveVisitors(until: end) }
        await early
        _ = await lines
        // The rows of what was saved at last.
        await delivery.removal?.finish(until: end)
        records.close()
        log.losses.logRest()
        hub.finish()
    }

    private func saveVisitors(until end: Duration) async {
        // The store is an app's own code; one that never answers must not hold up the shutdown.
        try? await withDeadline(end - time.now, by: time) { [records] in await records.drain() }
    }
}
