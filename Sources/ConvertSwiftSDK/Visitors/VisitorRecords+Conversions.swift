import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertConcurrency

/// Conversions that wait for what is stored.
///
/// A visitor's wait in one line, whatever contexts they came from, and count in order as soon as the contexts that waited for
/// a load have its record.
extension VisitorRecords {
    /// Lets `conversion` wait, if it must: for `load`, or for others that came before it. Returns the outcome then. Where
    /// too many wait it is given up.
    func wait(with conversion: DeferredConversion, for key: PropertyKey, during load: Int?) -> Conversion.Outcome? {
        let limit = max(1, conversion.context.engine.configuration.queueCapacity)
        var isFull = false
        let outcome = memory.change(key) { part, key in
            part.withOpen(key) { open -> Conversion.Outcome? in
                let isLoading = load != nil && open.load?.number == load
                guard isLoading || !open.conversions.isEmpty else { return nil }
                // What the first one of a goal comes to depends only on whether the goal is in the record.
                if !conversion.options.forcesMultipleTransactions, open.waits(for: conversion.goalKey) {
                    return .alreadyTriggered
                }
                isFull = state.withLock { state in
                    if state.deferredCount >= limit { return true }
                    state.deferredCount += 1
                    return false
                }
                if isFull { return .deferred }
                var conversion = conversion
                conversion.load = isLoading ? load : nil
                open.conversions.append(conversion)
                return .deferred
            } ?? nil
        }
        if isFull { conversion.context.engine.delivery.refuse(1, .overflow) }
        return outcome
    }

    /// Makes the conversions count that wait for the record under `key`, which is known now, and opens `ends` then. One
    /// thread does so at a time, and opens those of others that come meanwhile.
    func performConversions(for key: PropertyKey, andOpen ends: [Latch]) {
        var ends = ends
        var last: DeferredConversion?
        while let next = next(for: key, after: last, opening: &ends) {
            last = next
            if !PlantedFault.isPlanted("deferred-conversion-lost") { next.perform() }
        }
        for end in ends { end.open() }
    }

    /// The next conversion, which stays in line until it is over, so that none overtakes it. `last` is the one before it,
    /// which the caller still holds: a context must not end under the lock. Without a next one, `ends` becomes what the caller
    /// is to open.
    private func next(
        for key: PropertyKey, after last: DeferredConversion?, opening ends: inout [Latch]
    ) -> DeferredConversion? {
        let own = ends
        let (next, due) = memory.change(key) { part, key -> (DeferredConversion?, [Latch]) in
            var due = own
            let next =
                part.withOpen(key) { open -> DeferredConversion? in
                    if last != nil {
                        _ = open.conversions.popFirst()
                        state.withLock { $0.deferredCount -= 1 }
                    } else if open.isConverting {
                        open.ends += own
                        due = []
                        return nil
                    }
                    // It may wait for a load that began after the one that is over.
                    let next = open.conversions.first.flatMap {
                        $0.load != nil && $0.load == open.load?.number ? nil : $0
                    }
                    open.isConverting = next != nil
                    if next == nil {
                        due += open.ends
                        open.ends = []
                    }
                    return next
                } ?? nil
            part.closeIfDone(key)
            return (next, due)
        }
        ends = due
        return next
    }
}
