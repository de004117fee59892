#if Postgres
import ConvertConcurrency
import ConvertMobileRules
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Everything at once, meant for `swift test --sanitize=thread` as well.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(20)))
struct PostgresStressTests {
    @Test func servingSavingTakingOverAndLosingConnectionsAtOnce() async throws {
        let schema = try TestSchema()
        let name = "application_name=\(schema.name)"
        let servers = try (0..<3).map { _ in
            try FleetServer(schema, address: "\(schema.address) \(name)", lease: .milliseconds(60))
        }
        let history = PostgresEventHistory(try schema.database())
        let isOver = Atomic(false)
        let disturber = Task {
            while !isOver.load(ordering: .relaxed) {
                try schema.endSessions(percent: 30)
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        try await withThrowingTaskGroup { group in
            for worker in 0..<6 {
                let server = servers[worker % 3]
                group.addTask {
                    for number in 0..<40 {
                        let visitor = "v\(number % 20)"
                        let context =
                            number % 3 == 0
                            ? server.sdk.createContext(visitorID: visitor)
                            : await server.sdk.loadContext(visitorID: visitor)
                        try await aside {
                            context.decide("split")
                            context.trackConversion("purchase")
                        }
                        if number % 10 == 0 { await server.sdk.flush() }
                    }
                }
            }
            group.addTask {
                for number in 0..<40 {
                    try await aside {
                        _ = try? history.recordIfNew(EventFingerprint(rawValue: UInt32(number % 5)), at: Int64(number))
                    }
                }
            }
            try await group.waitForAll()
        }
        isOver.store(true, ordering: .relaxed)
        _ = try? await disturber.value
        for server in servers { await server.sdk.shutdown(deadline: .seconds(300)) }
        for server in servers {
            let counts = server.sdk.deliveryCounts
            let (entered, left) = (counts.accepted + counts.restored, counts.delivered + counts.rejectedTotal)
            #expect(entered == left + counts.queued)
        }
        // At least once: a server whose lease has ended may have sent what another one took over.
        #expect(Set(servers.flatMap(\.conversions)) == Set((0..<20).map { "v\($0)" }))
        #expect(try schema.integer("SELECT count(*) FROM visitors") == 20)
    }
}
#endif
