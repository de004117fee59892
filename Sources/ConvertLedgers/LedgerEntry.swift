public import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A call's changes to a visitor and the events that report them. A ledger stores both or neither.
public struct LedgerEntry: Sendable, Equatable {
    /// The visitor's key, `account-project-visitor`. It may have any length and any characters.
    public let visitor: String
    /// The changes, not the whole record.
    public let changes: VisitorChanges
    /// The events that report the changes, in the order in which they are to be sent.
    public let events: [LedgerEvent]

    /// Creates an entry.
    public init(visitor: String, changes: VisitorChanges = VisitorChanges(), events: [LedgerEvent] = []) {
        self.visitor = visitor
        self.changes = changes
        self.events = events
    }
}

/// A tracking event of an entry.
public struct LedgerEvent: Sendable, Equatable {
    /// The decision or goal that an event reports. It counts once for all processes that share the ledger.
    public enum Fact: Sendable, Hashable {
        /// The entry stores a decision for the experience with this id.
        case decision(experience: String)
        /// The visitor triggered the goal with this key or id.
        case goal(String)
    }

    /// The event's id.
    public let id: EventID
    /// The event's bytes, opaque to a ledger.
    public let record: Data
    /// The decision or goal that the event reports; `nil` if the event is sent whatever is stored.
    public let fact: Fact?

    /// Creates an event.
    public init(id: EventID, record: Data, reporting fact: Fact? = nil) {
        self.id = id
        self.record = record
        self.fact = fact
    }
}

/// An event that a ledger keeps until it is delivered.
public struct StoredEvent: Sendable, Equatable {
    /// The event's id.
    public let id: EventID
    /// The event's bytes, unchanged.
    public let record: Data

    /// Creates an event.
    public init(id: EventID, record: Data) {
        self.id = id
        self.record = record
    }
}

/// The outcome of a stored entry.
public struct LedgerOutcome: Sendable, Equatable {
    /// The visitor's record after the entry. A decision in it may differ from the entry's if another one was stored
    /// before.
    public let record: VisitorState
    /// The entry's events that are not stored and must not be sent, because their facts were reported before.
    public let unreported: [EventID]

    /// Creates an outcome.
    public init(record: VisitorState, unreported: [EventID] = []) {
        self.record = record
        self.unreported = unreported
    }
}
