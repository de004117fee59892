import ConvertLedgers
import ConvertSQLiteStores
import ConvertSwiftSDK
import Foundation

/// What keeps visitors and events beyond the end of a process: the adapter between the simulation and the product's
/// ledgers, and the only file that knows them.
struct DurableLayer {
    let durability: Plan.Durability
    let history: History
    /// What servers share, if they share anything.
    let database: SharedDatabase?
    let loss: LossOfAnswers

    /// Whether it keeps anything.
    var isDurable: Bool { durability != .memory }

    /// Opens what is in `folder`, for the SDK of the process `owner` that is made with the configuration.
    /// - Throws: an error if it cannot be opened.
    func open(in folder: String, by owner: Int, for configuration: inout SDKConfiguration) throws {
        guard let ledger = try ledger(in: folder, by: owner) else { return }
        configuration.ledger = ObservedLedger(ledger, owner: owner, history: history, loss: loss)
    }

    /// The number of events that a process which ended left in `folder`.
    func eventsLeft(in folder: String) async throws -> Int {
        if let database { return database.eventCount }
        guard let ledger = try ledger(in: folder, by: World.outside) else { return 0 }
        let count = try await ledger.undelivered(after: nil, limit: 1000).count
        await ledger.close()
        return count
    }

    private func ledger(in folder: String, by owner: Int) throws -> (any Ledger)? {
        switch durability {
        case .memory: return nil
        case .shared: return database.map { SharedLedger($0, process: owner) }
        case .files, .synced:
            return try SQLiteLedger(
                file: URL(fileURLWithPath: "\(folder)/ledger.sqlite"),
                durability: durability == .synced ? .powerFailure : .processEnd)
        }
    }
}
