package import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What one call changes of a visitor and what it reports. A ledger stores both, or neither.
package struct LedgerEntry: Sendable, Equatable {
    /// The visitor's key, `account-project-visitor`. It may have any length and any characters.
    package let visitor: String
    /// What changes. It is not the whole record.
    package let changes: VisitorChanges
    /// The events that report it, in the order in which they are to be sent.
    package let events: [LedgerEvent]

    /// An entry.
    package init(visitor: String, changes: VisitorChanges = VisitorChanges(), events: [LedgerEvent] = []) {
        self.visitor = visitor
        self.changes = changes
        self.events = events
    }
}

/// A tracking event of an entry.
package struct LedgerEvent: Sendable, Equatable {
    /// What an event reports, if that counts once for all processes that share the ledger.
    package enum Fact: Sendable, Hashable {
        /// That the entry stores a decision for the experience with this id.
        case decision(experience: String)
        /// That the visitor triggered the goal with this key or id.
        case goal(String)
    }

    /// The event's name.
    package let id: EventID
    /// Its bytes. A ledger does not look into them.
    package let record: Data
    /// What it reports; `nil` if it is to be sent whatever is stored.
    package let fact: Fact?

    /// An event.
    package init(id: EventID, record: Data, reporting fact: Fact? = nil) {
        self.id = id
        self.record = record
        self.fact = fact
    }
}

/// An event that a ledger keeps until it is delivered.
package struct StoredEvent: Sendable, Equatable {
    /// The event's name.
    package let id: EventID
    /// Its bytes, as they came.
    package let record: Data

    /// An event.
    package init(id: EventID, record: Data) {
        self.id = id
        self.record = record
    }
}

/// What became of an entry that is stored.
package struct LedgerOutcome: Sendable, Equatable {
    /// The visitor's record as it is now. A decision in it may be another one than the entry's, which was stored before.
    package let record: VisitorState
    /// The entry's events that are not stored and must not be sent, because what they report was reported before.
    package let unreported: [EventID]

    /// What became of an entry.
    package init(record: VisitorState, unreported: [EventID] = []) {
        self.record = record
        self.unreported = unreported
    }
}
