import ConvertSQLiteStores
import ConvertSwiftSDK
import Foundation

/// What keeps visitors and events beyond the end of a process: the adapter between the simulation and the product's stores,
/// and the only file that knows them.
struct DurableLayer {
    let durability: Plan.Durability

    /// Whether it keeps anything.
    var isDurable: Bool { durability != .memory }

    /// Opens what is in `folder`, for the SDK that is made with the configuration.
    /// - Throws: an error if it cannot be opened.
    func open(in folder: String, for configuration: inout SDKConfiguration) throws {
        if !isDurable { return }
        configuration.journal = try journal(in: folder)
        configuration.visitorStore = try store(in: folder)
    }

    /// The number of events that a process which ended left in `folder`.
    func eventsLeft(in folder: String) async throws -> Int {
        if !isDurable { return 0 }
        return try await journal(in: folder).events(after: 0, limit: 1000).count
    }

    private func journal(in folder: String) throws -> SQLiteEventJournal {
        try SQLiteEventJournal(
            file: URL(fileURLWithPath: "\(folder)/events.sqlite"),
            durability: durability == .synced ? .powerFailure : .processEnd)
    }

    private func store(in folder: String) throws -> SQLiteVisitorStore {
        try SQLiteVisitorStore(file: URL(fileURLWithPath: "\(folder)/visitors.sqlite"))
    }
}
