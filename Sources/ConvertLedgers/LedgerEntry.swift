public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What one call changes of a visitor and what it reports. A ledger stores both, or neither.
public struct LedgerEntry: Sendable, Equatable {
    /// The visitor's key, `account-project-visitor`. It may have any length and any characters.
    public let visitor: String
    /// What changes. It is not the whole record.
    public let changes: VisitorChanges
    /// The events that report it, in the order in which they are to be sent.
    public let events: [LedgerEvent]

    /// An entry.
    public init(visitor: String, changes: VisitorChanges = VisitorChanges(), events: [LedgerEvent] = []) {
        self.visitor = visitor
        self.changes = changes
        self.events = events
    }
}

/// A tracking event of an entry.
public struct LedgerEvent: Sendable, Equatable {
    /// What an event reports, if that counts once for all processes that share the ledger.
    public enum Fact: Sendable, Hashable {
        /// That the entry stores a decision for the experience with this id.
        case decision(experience: String)
        /// That the visitor triggered the goal with this key or id.
        case goal(String)
    }

    /// The event's name.
    public let id: EventID
    /// Its bytes. A ledger does not look into them.
    public let record: Data
    /// What it reports; `nil` if it is to be sent whatever is stored.
    public let fact: Fact?

    /// An event.
    public init(id: EventID, record: Data, reporting fact: Fact? = nil) {
        self.id = id
        self.record = record
        self.fact = fact
    }
}

/// An event that a ledger keeps until it is delivered.
public struct StoredEvent: Sendable, Equatable {
    /// The event's name.
    public let id: EventID
    /// Its bytes, as they came.
    public let record: Data

    /// An event.
    public init(id: EventID, record: Data) {
        self.id = id
        self.record = record
    }
}

/// What became of an entry that is stored.
public struct LedgerOutcome: Sendable, Equatable {
    /// The visitor's record as it is now. A decision in it may be another one than the entry's, which was stored
    /// before.
    public let record: VisitorState
    /// The entry's events that are not stored and must not be sent, because what they report was reported before.
    public let unreported: [EventID]

    /// What became of an entry.
    public init(record: VisitorState, unreported: [EventID] = []) {
        self.record = record
        self.unreported = unreported
    }
}
