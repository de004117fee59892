import ConvertConcurrency
import ConvertSwiftSDKCore

/// A conversion that waits for the visitor's record, because it is unknown whether its goal was triggered before.
struct DeferredConversion: Sendable {
    let context: ConvertContext
    let goalKey: String
    let options: ConversionOptions
    /// Its place among the conversions of all visitors that wait.
    var place = 0
}

/// The conversions of one visitor that wait for the ledger's record, in order, from all contexts.
struct WaitingConversions: Sendable {
    fileprivate var line = FIFOQueue<DeferredConversion>()
    /// Whether a thread is performing conversions.
    fileprivate var isPerforming = false
    /// The latches to open when that thread is done.
    fileprivate var ends: [Latch] = []

    /// Removes and returns the conversions that are not being performed.
    mutating func takeWaiting() -> [DeferredConversion] {
        let kept = isPerforming ? line.popFirst() : nil
        defer {
            line = FIFOQueue()
            if let kept { line.append(kept) }
        }
        return line.elements
    }
}

extension VisitorRecord {
    /// What happens to a conversion that may have to wait.
    enum Deferral {
        case isDue
        case waits
        /// The same goal already waits.
        case isDouble
        /// Too many conversions wait.
        case isRefused
    }

    /// Makes `conversion` wait if it must: for the record, or for earlier conversions.
    ///
    /// - Parameter countsGoal: whether its result depends on the record.
    func deferral(of conversion: DeferredConversion, countsGoal: Bool) -> Deferral {
        guarded.withLock { guarded in
            let isLoading = countsGoal && guarded.load != nil
            guard isLoading || !guarded.conversions.line.isEmpty else { return .isDue }
            // The result of a goal's first conversion depends only on whether the record has the goal.
            let isDouble = guarded.conversions.line.contains { $0.goalKey.hasSameCodeUnits(as: conversion.goalKey) }
            if isDouble && !conversion.options.forcesMultipleTransactions { return .isDouble }
            var conversion = conversion
            guard let place = conversion.context.engine.records.deferrals.enter(self) else { return .isRefused }
            conversion.place = place
            guarded.conversions.line.append(conversion)
            return .waits
        }
    }

    /// A latch that opens when waiting conversions were performed; `nil` if no awaited conversion waits. Further
    /// conversions may be waiting by then.
    func conversionsEnd(where isAwaited: (DeferredConversion) -> Bool) -> Latch? {
        guarded.withLock { guarded in
            guard guarded.conversions.line.contains(where: isAwaited) else { return nil }
            if let load = guarded.load { return load.end }
            let end = Latch()
            guarded.conversions.ends.append(end)
            return end
        }
    }

    /// Performs the conversions that waited for a load, and then opens its `end`. Only one thread does so at a time; it
    /// also opens the latches of threads that arrive meanwhile.
    func performConversions(andOpen end: Latch) {
        var ends = [end]
        var last: DeferredConversion?
        while let next = nextConversion(after: last, opening: &ends) {
            last = next
            if !PlantedFault.isPlanted("deferred-conversion-lost") { next.context.perform(next) }
            next.context.engine.records.deferrals.leave(next.place)
        }
        for end in ends { end.open() }
    }

    /// Returns the next conversion. It stays in the queue until it is performed, so that no other conversion overtakes
    /// it. `last` is the previous conversion. The caller keeps it alive, because its context must not end under the
    /// lock. If there is no next conversion, `ends` becomes the latches that the caller must open.
    private func nextConversion(after last: DeferredConversion?, opening ends: inout [Latch]) -> DeferredConversion? {
        let own = ends
        let (next, due) = guarded.withLock { guarded -> (DeferredConversion?, [Latch]) in
            if last != nil {
                _ = guarded.conversions.line.popFirst()
            } else if guarded.conversions.isPerforming {
                guarded.conversions.ends += own
                return (nil, [])
            }
            Invariant.check(last == nil || guarded.conversions.isPerforming, "one thread performs conversions")
            // If another load has begun, the remaining conversions wait for that one.
            let next = guarded.load == nil ? guarded.conversions.line.first : nil
            guarded.conversions.isPerforming = next != nil
            if next != nil { return (next, own) }
            defer { guarded.conversions.ends = [] }
            return (nil, own + guarded.conversions.ends)
        }
        ends = due
        return next
    }
}
