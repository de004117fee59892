#if Postgres
import ConvertLedgers
import ConvertConcurrency
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// A database's server ends amid everything, and its replica takes its place.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
final class FailoverTests: Sendable {
    private let server: ReplicatedServer
    private let schema: TestSchema
    private let promised = Mutex<Set<String>>([])
    private let hasFailedOver = Atomic(false)

    init() async throws {
        server = try await ReplicatedServer()
        schema = try TestSchema(address: server.address)
    }

    @Test func persistedChangesAreStoredAndDeliveredOnce() async throws {
        let servers = try (0..<2).map { _ in try FleetServer(schema) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 { group.addTask { try await self.serve(servers[worker % 2], worker) } }
            #expect(await eventually { self.promised.withLock { $0.count } > 200 })
            try await server.failOver()
            hasFailedOver.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        for server in servers { await server.sdk.shutdown(deadline: .seconds(300)) }
        let promised = promised.withLock { $0.sorted() }
        #expect(servers.flatMap(\.conversions).sorted() == promised)
        let reader = try schema.ledger()
        for visitor in promised { #expect(try await reader.visitor("10-20-\(visitor)")?.goals?.count == 1) }
        await reader.close()
    }

    /// Serves new visitors until the replica has taken over, and for a while after.
    private func serve(_ server: FleetServer, _ worker: Int) async throws {
        var (number, left) = (0, 20)
        while left > 0 {
            if hasFailedOver.load(ordering: .relaxed) { left -= 1 }
            let visitor = "\(worker)x\(number)"
            let context = await server.sdk.loadContext(visitorID: visitor)
            context.trackConversion("purchase")
            try await context.persisted(within: .seconds(300))
            _ = promised.withLock { $0.insert(visitor) }
            number += 1
        }
    }

    @Test func aReplicaCanOnlyBeReadUntilItIsPromoted() async throws {
        let replica = try schema.ledger(server.replicaAddress)
        func code() async -> StorageError.Code? {
            do { _ = try await replica.begin() } catch { return (error as? StorageError)?.code }
            return nil
        }
        #expect(await code() == .readOnly, "the tables cannot be made")
        let primary = try schema.ledger()
        let id = EventID(owner: try await primary.begin(), number: 1)
        _ = try await primary.commit([.goal("g", of: "v", id: id)])
        // What is acknowledged has arrived there, and is seen a moment later.
        #expect(await eventually { (try? await replica.visitor("v"))?.goals?.count == 1 })
        #expect(await code() == .readOnly)
        try await server.failOver()
        #expect(await eventually { await code() == nil })
        for ledger in [primary, replica] { await ledger.close() }
    }
}
#endif
