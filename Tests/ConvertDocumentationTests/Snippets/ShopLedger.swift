import ConvertLedgers
import ConvertSwiftSDKCore
import Foundation

/// A ledger of an app's own, as the article on storage shows it.
actor ShopLedger: Ledger {
    private var owner: UInt32 = 0
    private var visitors: [Data: VisitorState] = [:]
    private var events: [EventID: (visitor: Data, event: StoredEvent)] = [:]
    private var isClosed = false

    func begin() throws -> UInt32 {
        try checkOpen()
        owner += 1  // a durable ledger stores it, so that no later process begins with the same number
        return owner
    }

    func visitor(_ key: String) throws -> VisitorState? {
        try checkOpen()
        return visitors[Data(key.utf8)]  // keys are bytes; Swift's == on String would mix some of them up
    }

    func commit(_ entries: [LedgerEntry]) throws -> [LedgerOutcome] {
        try checkOpen()
        return entries.map { entry in
            let key = Data(entry.visitor.utf8)
            let settlement = entry.settled(over: visitors[key]) { events[$0] != nil }
            let record = settlement.outcome.record
            if record != VisitorState() { visitors[key] = record }
            for event in settlement.events {
                events[event.id] = (key, StoredEvent(id: event.id, record: event.record))
            }
            return settlement.outcome
        }
    }

    func undelivered(after id: EventID?, limit: Int) throws -> [StoredEvent] {
        try checkOpen()
        let later = events.values.map { $0.event }.filter { event in id.map { event.id > $0 } ?? true }
        return Array(later.sorted { $0.id < $1.id }.prefix(limit))
    }

    func remove(_ ids: [EventID]) throws {
        try checkOpen()
        for id in ids { events[id] = nil }
    }

    func forget(_ key: String) throws {
        try checkOpen()
        let key = Data(key.utf8)
        visitors[key] = nil
        events = events.filter { $0.value.visitor != key }
    }

    func close() { isClosed = true }

    private func checkOpen() throws {
        if isClosed { throw LedgerError.isClosed }
    }
}
