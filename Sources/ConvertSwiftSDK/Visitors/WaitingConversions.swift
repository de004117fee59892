import ConvertConcurrency
import ConvertSwiftSDKCore

/// A conversion that waits for the visitor's record: it is not known yet whether its goal was triggered before.
struct DeferredConversion: Sendable {
    let context: ConvertContext
    let goalKey: String
    let options: ConversionOptions
}

/// Conversions of one visitor that wait for the ledger's record, in one line, whatever contexts they came from.
struct WaitingConversions: Sendable {
    fileprivate var line = FIFOQueue<DeferredConversion>()
    /// Whether somebody makes them count.
    fileprivate var isPerforming = false
    /// What opens once that is over.
    fileprivate var ends: [Latch] = []

    /// Takes out those that are not being made to count.
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
    /// What becomes of a conversion that may have to wait.
    enum Deferral {
        case isDue
        case waits
        /// The same goal waits already.
        case isDouble
        /// Too many wait.
        case isRefused
    }

    /// Lets `conversion` wait, if it must: for the record, or for others that came before it.
    ///
    /// - Parameters:
    ///   - countsGoal: whether what it comes to depends on the record.
    ///   - records: count how many more conversions may wait, of all visitors.
    func deferral(of conversion: DeferredConversion, countsGoal: Bool, among records: VisitorRecords) -> Deferral {
        guarded.withLock { guarded in
            let isLoading = countsGoal && guarded.load != nil
            guard isLoading || !guarded.conversions.line.isEmpty else { return .isDue }
            // What the first one of a goal comes to depends only on whether the goal is in the record.
            let isDouble = guarded.conversions.line.contains { $0.goalKey.hasSameCodeUnits(as: conversion.goalKey) }
            if isDouble && !conversion.options.forcesMultipleTransactions { return .isDouble }
            if records.deferralPlaces.wrappingSubtract(1, ordering: .relaxed).newValue < 0 {
                records.deferralPlaces.wrappingAdd(1, ordering: .relaxed)
                return .isRefused
            }
            guarded.conversions.line.append(conversion)
            return .waits
        }
    }

    /// What opens when conversions that wait have been made to count; `nil` if none of `context` waits. Further ones
    /// may wait then.
    func conversionsEnd(of context: ConvertContext) -> Latch? {
        guarded.withLock { guarded in
            guard guarded.conversions.line.contains(where: { $0.context === context }) else { return nil }
            if let load = guarded.load { return load.end }
            let end = Latch()
            guarded.conversions.ends.append(end)
            return end
        }
    }

    /// Makes the conversions count that waited for a load, and opens its `end` then. One thread does so at a time, and
    /// opens those of others that come meanwhile.
    func performConversions(andOpen end: Latch) {
        var ends = [end]
        var last: DeferredConversion?
        while let next = nextConversion(after: last, opening: &ends) {
            last = next
            next.context.engine.records.deferralPlaces.wrappingAdd(1, ordering: .relaxed)
            if !PlantedFault.isPlanted("deferred-conversion-lost") { next.context.perform(next) }
        }
        for end in ends { end.open() }
    }

    /// The next conversion, which stays in line until it is over, so that none overtakes it. `last` is the one before
    /// it, which the caller still holds: a context must not end under the lock. Without a next one, `ends` becomes what
    /// the caller is to open.
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
            // Those that are left when another load has begun go with that one.
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
