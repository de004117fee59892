import ConvertConcurrency
import ConvertSwiftSDKCore

/// What is open about a visitor: a load of their record, what an earlier process left in the journal, and conversions that
/// wait.
struct OpenVisitor: Sendable {
    /// The load that is under way, for all of the visitor's contexts.
    var load: Load?
    /// Claims that were read from the journal and wait to be settled against what is stored.
    var restored: HeldChanges?
    /// Conversions that wait for the load to end, in order; and later ones, so that they do not overtake those.
    var conversions = FIFOQueue<DeferredConversion>()
    /// Whether somebody is making them count.
    var isConverting = false
    /// What opens once that is over.
    var ends: [Latch] = []

    /// A load of a record.
    struct Load: Sendable {
        let number: Int
        /// What waited for the store when it began.
        let unsaved: VisitorState
        /// Whether it is in line for the store.
        var isQueued = false
        /// The call of the store, once it has begun.
        var call: Int?
        /// Changes that were made meanwhile in knowledge of what is stored.
        var newer = VisitorState()
        /// Those of them that the writer had room for.
        var kept = VisitorState()
        /// Changes that contexts made meanwhile which do not know what is stored.
        var held = HeldChanges()
        /// What came of it, if that waits for the journal's answer about what is held.
        var answer: VisitorRecords.Answer?
        var waiters: [RecordWaiter] = []
        /// Opens at its end. It may be that of the first who waits.
        let end: Latch
    }

    var isClosed: Bool { load == nil && restored == nil && conversions.isEmpty && !isConverting }

    /// The load, if something waits for it which must not be lost.
    var awaitedLoad: Load? {
        guard let load else { return nil }
        return conversions.isEmpty && restored == nil && load.held.isEmpty ? nil : load
    }

    /// Whether there are changes that the store does not have.
    var isUnsaved: Bool { restored != nil || !conversions.isEmpty || awaitedLoad != nil }

    /// Whether a conversion of the goal waits.
    func waits(for goalKey: String) -> Bool {
        conversions.contains { $0.goalKey.hasSameCodeUnits(as: goalKey) }
    }

    /// Notes changes by a context that knows what is stored, and whether the writer has them.
    mutating func note(_ changes: VisitorState, isKept: Bool) {
        guard let load else { return }
        self.load?.newer = load.newer.merging(changes)
        if isKept { self.load?.kept = load.kept.merging(changes) }
    }
}

/// Who waits for a visitor's record.
struct RecordWaiter: Sendable {
    /// Takes the record over; `nil` if it is enough that memory has it.
    let adopter: (any RecordAdopter)?
    /// Opens when all contexts have done so, and the conversions that waited have been made.
    let end: Latch
}

/// Takes over what is stored of a visitor.
protocol RecordAdopter: AnyObject, Sendable {
    /// Takes over `record`, as it was loaded and with everything newer.
    func adopt(_ record: VisitorState)
}
