import ConvertConcurrency

extension SDKEngine {
    /// Stores and delivers the remaining changes and events, and stops all components, until `end`.
    func shutDown(until end: Duration) async {
        // Deferred conversions become events and changes when loading ends, so half of the time is left for those.
        async let early: Void = delivery.flush()
        let loadsEnd = time.now + (end - time.now) / 2
        await records.loader?.endLoads(until: loadsEnd)
        await records.deferrals.wait(until: loadsEnd, by: time)
        async let lines: Void? = decisionLog?.finish(until: end)
        async let stored: Bool? = writer?.flush(until: end)
        await delivery.drain(until: end)
        _ = await stored
        // From here on nothing is accepted. Everything accepted so far is stored, for the next process to deliver.
        writer?.close()
        if time.now < end { await writer?.flush(until: end) }
        delivery.stop()
        await records.loader?.end()
        await early
        _ = await lines
        await writer?.finish(until: end)
        if let count = writer?.unstoredCount, count > 0 {
            log.once(
                .ledgerEnd,
                "the ledger had not stored \(count) entries at the end of the shutdown; what they change is lost. "
                    + "Look at the ledger, or give the shutdown more time.")
        }
        log.losses.logRest()
        hub.finish()
    }
}
