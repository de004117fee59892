import ConvertLedgers
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// A ledger in memory that several SDKs may use one after the other, as processes use one file.
struct KeptLedger: Ledger {
    private let memory = MemoryLedger()

    func begin() async throws -> UInt32 { try await memory.begin() }

    func visitor(_ key: String) async throws -> VisitorState? { try await memory.visitor(key) }

    func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] { try await memory.commit(entries) }

    func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try await memory.undelivered(after: id, limit: limit)
    }

    func remove(_ ids: [EventID]) async throws { try await memory.remove(ids) }

    func forget(_ key: String) async throws { try await memory.forget(key) }

    func close() async {}
}
