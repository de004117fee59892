public import ConvertLedgers
import ConvertECMAScript

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The guarantees of every ledger. Each case is one guarantee, with which an app can test its own ledger.
///
///     @Test(arguments: LedgerContract.allCases)
///     func keepsItsPromises(clause: LedgerContract) async throws {
///         let place = try newPlace()
///         try await clause.check { try MyLedger(at: place) }
///     }
///
/// A case whose name ends with `AfterARestart` is only for ledgers that persist.
public enum LedgerContract: String, CaseIterable, Sendable {
    /// An entry's changes and events are stored.
    case storesARecordAndItsEventsTogether
    /// A second decision for an experience changes nothing, and its event is not stored.
    case theFirstDecisionCounts
    /// A goal that was triggered before is not reported again.
    case aGoalCountsOnce
    /// A decision counts if it names the stored decision that it replaces.
    case aDecisionTakesThePlaceOfOneThatItNames
    /// Entries of one call are applied in order, each to the result of the earlier entries.
    case entriesOfOneVisitorSeeEachOther
    /// An entry that is committed again, because its first answer was lost, is stored once.
    case anEntryOfferedTwiceIsStoredOnce
    /// Segments are merged as `VisitorState.merging(_:)` does.
    case mergesSegments
    /// Records are returned unchanged, with values of any type.
    case keepsValuesOfEveryKind
    /// Keys are equal only if their bytes are equal.
    case keysAreBytes
    /// Undelivered events are returned in the order of their ids, in pages of any length.
    case givesEventsInTheOrderOfTheirIDs
    /// Removing events removes exactly these events.
    case removesEvents
    /// No data of a forgotten visitor is left.
    case forgetsAVisitor
    /// A random history has the same outcomes as with `MemoryLedger`.
    case answersAsTheLedgerInMemory
    /// Reads and commits can run concurrently.
    case readsBesideCommits
    /// A closed ledger throws `LedgerError.isClosed`.
    case aClosedLedgerRefuses
    /// All stored data is available when the ledger is opened again.
    case isCompleteAfterARestart
    /// Owners' numbers increase and never repeat, even across restarts.
    case givesNoOwnerNumberTwiceAfterARestart

    /// The cases for ledgers that end with the process.
    public static let inMemory = allCases.filter { !$0.rawValue.hasSuffix("AfterARestart") }

    /// Checks this guarantee with a ledger that was never used.
    ///
    /// - Parameter open: opens the ledger, each time in the same place, after the previous one was closed.
    /// - Throws: ``LedgerContractFailure``, or the ledger's errors.
    public func check(open: @Sendable () async throws -> any Ledger) async throws {
        switch self {
        case .isCompleteAfterARestart: return try await checkRestart(open)
        case .givesNoOwnerNumberTwiceAfterARestart: return try await checkOwners(open)
        default: break
        }
        let ledger = try await open()
        let owner = try await ledger.begin()
        do {
            try await check(LedgerUse(ledger, owner: owner))
        } catch {
            await ledger.close()
            throw error
        }
        await ledger.close()
    }

    private func check(_ use: LedgerUse) async throws {
        switch self {
        case .storesARecordAndItsEventsTogether: try await use.checkFirstEntry()
        case .theFirstDecisionCounts: try await use.checkFirstDecision()
        case .aGoalCountsOnce: try await use.checkGoal()
        case .aDecisionTakesThePlaceOfOneThatItNames: try await use.checkReplacement()
        case .entriesOfOneVisitorSeeEachOther: try await use.checkGroup()
        case .anEntryOfferedTwiceIsStoredOnce: try await use.checkSecondOffer()
        case .mergesSegments: try await use.checkSegments()
        case .keepsValuesOfEveryKind: try await use.checkValues()
        case .keysAreBytes: try await use.checkKeys()
        case .givesEventsInTheOrderOfTheirIDs: try await use.checkOrder()
        case .removesEvents: try await use.checkRemoval()
        case .forgetsAVisitor: try await use.checkForgetting()
        case .answersAsTheLedgerInMemory: try await use.compareWithMemory()
        case .readsBesideCommits: try await use.checkReadersBesideCommits()
        case .aClosedLedgerRefuses: try await use.checkClosing()
        case .isCompleteAfterARestart, .givesNoOwnerNumberTwiceAfterARestart: break
        }
    }

    private func checkRestart(_ open: @Sendable () async throws -> any Ledger) async throws {
        let first = try await open()
        let use = LedgerUse(first, owner: try await first.begin())
        let events = use.events(1...3, reporting: .goal("g"))
        _ = try await first.commit([use.entry("v", goals: ["g"], events: events)])
        try await first.remove([events[1].id])
        await first.close()

        let second = try await open()
        let later = LedgerUse(second, owner: try await second.begin())
        // If servers share a ledger, the second owner must first take over the events that the first owner left.
        while !(try await second.takeOver(2)).isEmpty {}
        try await later.expect("v", #"{"goals":{"g":true}}"#)
        try await later.expectEvents([events[0], events[2]])
        let again = try await second.commit([later.entry("v", goals: ["g"], events: later.events(1...1))])
        try expect(
            again, equals: [later.outcome(#"{"goals":{"g":true}}"#)],
            "an event without a fact is stored regardless of the visitor's record")
        await second.close()
    }

    private func checkOwners(_ open: @Sendable () async throws -> any Ledger) async throws {
        var owners: [UInt32] = []
        for _ in 0..<3 {
            let ledger = try await open()
            owners.append(try await ledger.begin())
            owners.append(try await ledger.begin())
            await ledger.close()
        }
        try expect(owners, equals: owners.sorted(), "owners' numbers grow")
        try expect(Set(owners).count, equals: owners.count, "no owner's number repeats")
        try expect(owners.allSatisfy { $0 > 0 && $0 < 1 << 31 }, equals: true, "1 or more and below 2^31: \(owners)")
    }
}

/// The error for a ledger that breaks a guarantee.
public struct LedgerContractFailure: Error, CustomStringConvertible {
    /// The expected and the actual result.
    public let description: String
}

/// Compares a result with the expected result.
///
/// - Throws: ``LedgerContractFailure`` unless both are equal.
func expect<Value: Equatable>(_ found: Value, equals expected: Value, _ what: String) throws {
    if found == expected { return }
    throw LedgerContractFailure(description: "\(what): expected \(expected), found \(found)")
}
