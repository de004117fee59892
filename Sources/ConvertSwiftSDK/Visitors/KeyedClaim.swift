import ConvertECMAScript

/// A claim on its way into the journal. A class, as an event that could not be journaled carries it.
final class KeyedClaim: Sendable, Equatable {
    /// Who keeps what follows from a claim until the store has it.
    enum Keeper: Sendable, Equatable {
        /// The visitor's load with this number, which hands it on to the writer at its end.
        case load(Int)
        /// What waits for the store.
        case writer
        /// Nobody in memory: there was no room. Only the journal will have it.
        case journal
    }

    /// The visitor whose record it is of.
    let key: PropertyKey
    let claim: VisitorClaim
    let keeper: Keeper

    init(key: PropertyKey, claim: VisitorClaim, keeper: Keeper) {
        self.key = key
        self.claim = claim
        self.keeper = keeper
    }

    static func == (left: KeyedClaim, right: KeyedClaim) -> Bool {
        left === right || left.key == right.key && left.claim == right.claim && left.keeper == right.keeper
    }
}
