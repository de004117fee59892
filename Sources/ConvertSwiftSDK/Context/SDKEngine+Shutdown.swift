import ConvertConcurrency

extension SDKEngine {
    /// Stores and delivers what is left, and ends everything, until `end`.
    func shutDown(until end: Duration) async {
        // What was made while records are loaded becomes events and changes; the other half of the time is theirs.
        async let early: Void = delivery.flush()
        await records.loader?.endLoads(until: time.now + (end - time.now) / 2)
        async let lines: Void? = decisionLog?.finish(until: end)
        async let stored: Bool? = writer?.flush(until: end)
        await delivery.drain(until: end)
        _ = await stored
        // From now on nothing is taken any more. What came until now is stored, for the next process to deliver.
        writer?.close()
        if time.now < end { await writer?.flush(until: end) }
        delivery.stop()
        await records.loader?.end()
        await early
        _ = await lines
        await writer?.finish(until: end)
        log.losses.logRest()
        hub.finish()
    }
}
