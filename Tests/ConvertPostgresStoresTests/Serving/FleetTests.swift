#if Postgres
import ConvertConcurrency
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Servers that share a database, each with an SDK of its own.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct FleetTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    @Test func aGoalIsReportedOnceThoughAllServersCountItAtOnce() async throws {
        // No lease ends though the machine is busy.
        let servers = try (0..<3).map { _ in try FleetServer(schema, lease: .seconds(3600)) }
        let visitors = (0..<20).map { "v\($0)" }
        await withTaskGroup { group in
            for server in servers {
                for visitor in visitors {
                    group.addTask {
                        let context = await server.sdk.loadContext(visitorID: visitor)
                        _ = try? await aside { context.trackConversion("purchase") }
                    }
                }
            }
        }
        for server in servers { await server.sdk.shutdown(deadline: .seconds(300)) }
        #expect(servers.flatMap(\.conversions).sorted() == visitors.sorted())
        let counts = servers.map(\.sdk.deliveryCounts)
        let accepted = counts.reduce(0) { $0 + $1.accepted }
        #expect(accepted == 20 + counts.reduce(0) { $0 + $1.rejectedTotal })
        for count in counts {
            #expect(count.rejectedTotal == count.rejected[.countedElsewhere] ?? 0)
            let (entered, left) = (count.accepted + count.restored, count.delivered + count.rejectedTotal)
            #expect(entered == left + count.queued)
        }
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
        #expect(try schema.integer("SELECT count(*) FROM claimed_goals") == 20)
    }

    @Test func serversThatDecideOtherwiseAgreeOnWhatWasStoredFirst() async throws {
        let one = try FleetServer(schema, share: 100, lease: .seconds(3600))
        let other = try FleetServer(schema, share: 0, lease: .seconds(3600))
        // Neither knows what the other is about to store, or is just storing.
        let contexts = [await one.sdk.loadContext(visitorID: "v"), await other.sdk.loadContext(visitorID: "v")]
        let answers = try await [0, 1].asyncMap { index in
            try await aside { contexts[index].selectVariation("split")?.variationID }
        }
        #expect(answers == ["910", "911"])
        await one.sdk.flush()
        await other.sdk.flush()
        let stored = try await PostgresVisitorStore(schema.database()).load("10-20-v")?.bucketing?["91"]?.stringValue
        #expect(stored == "910" || stored == "911")
        for server in [one, other] {
            #expect(server.sdk.createContext(visitorID: "v").selectVariation("split")?.variationID == stored)
        }
        await one.sdk.shutdown()
        await other.sdk.shutdown()
    }

    @Test func whatAServerLeavesThatEndsIsDeliveredAndStored() async throws {
        let ended = try FleetServer(schema, delivers: false, lease: .seconds(3600))
        let visitors = (0..<300).map { "v\($0)" }
        try await aside {
            for visitor in visitors {
                let context = ended.sdk.createContext(visitorID: visitor)
                context.selectVariation("split")
                context.trackConversion("purchase")
            }
        }
        while ended.sdk.deliveryCounts.accepted < 600 { try await Task.sleep(for: .milliseconds(2)) }
        // It can neither save nor say that it lives from now on.
        let rows = try schema.integer("SELECT count(*) FROM events")
        #expect(rows >= 600)
        let heirs = try (0..<2).map { _ in try FleetServer(schema) }
        try schema.connection().execute("UPDATE owners SET expires = '-infinity'")
        #expect(
            await eventually {
                heirs.reduce(0) { $0 + $1.sdk.deliveryCounts.delivered } >= 600
                    && (try? schema.integer("SELECT count(*) FROM events WHERE is_taken")) == 0
            })
        for heir in heirs { await heir.sdk.shutdown(deadline: .seconds(300)) }
        #expect(Set(heirs.flatMap(\.conversions)) == Set(visitors))
        #expect(Set(heirs.flatMap(\.decisions)) == Set(visitors))
        let store = PostgresVisitorStore(try schema.database())
        for visitor in visitors {
            let record = try await store.load("10-20-\(visitor)")
            #expect(record?.goals?["4"] == true || record?.goals?["purchase"] == true, "\(visitor): \(record as Any)")
            #expect(record?.bucketing?["91"] != nil)
        }
    }

    /// A connection that nothing comes over holds up neither decisions nor the end.
    @Test func aServerEndsThoughItsDatabaseIsSilent() async throws {
        let port = try #require(schema.address.firstMatch(of: /port=(\d+)/).flatMap { UInt16($0.1) })
        let proxy = try TestProxy(to: port)
        defer { proxy.stop() }
        var options = TestSchema.options
        options.timeout = .seconds(3600)
        let server = try FleetServer(
            schema, address: "\(schema.address) port=\(proxy.port) sslmode=disable", delivers: false,
            lease: .seconds(3600), patience: .milliseconds(500), options: options)
        let first = server.sdk.createContext(visitorID: "first")
        try await aside { _ = first.trackConversion("purchase") }
        // With the first connection the tables are made, for which its patience may be too short.
        #expect(
            await eventually { (try? schema.integer("SELECT count(*) FROM events")).map { $0 > 0 } ?? false })
        proxy.swallow(true)
        let contexts = (0..<20).map { server.sdk.createContext(visitorID: "v\($0)") }
        let answers = try await aside { contexts.map { $0.selectVariation("split") != nil } }
        #expect(answers.allSatisfy { $0 })
        await server.sdk.shutdown(deadline: .seconds(1))
        let counts = server.sdk.deliveryCounts
        #expect(counts.accepted == counts.queued + counts.rejectedTotal)
        try schema.connection().execute("UPDATE owners SET expires = '-infinity'")
        let heir = try FleetServer(schema)
        #expect(await eventually { heir.conversions.contains("first") })
        await heir.sdk.shutdown(deadline: .seconds(300))
    }

    @Test func decisionsGoOnWithoutTheDatabaseAndConvergeAfterwards() async throws {
        let role = "r" + schema.name
        let connection = try schema.connection()
        try await schema.database().prepare()
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'secret' CONNECTION LIMIT 0; GRANT USAGE ON SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL SEQUENCES IN SCHEMA \(schema.name) TO \(role)
            """)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let server = try FleetServer(schema, address: "\(schema.address) user=\(role)", delivers: false)
        let well = try FleetServer(schema, lease: .seconds(3600))
        let contexts = (0..<50).map { server.sdk.createContext(visitorID: "v\($0)") }
        let answers = try await aside { contexts.map { $0.selectVariation("split")?.variationID } }
        try await aside { for context in contexts { context.trackConversion("purchase") } }
        let expected = try await aside {
            (0..<50).map { well.sdk.createContext(visitorID: "v\($0)").selectVariation("split")?.variationID }
        }
        #expect(answers == expected && !answers.contains(nil))
        await server.sdk.flush()
        #expect(try schema.integer("SELECT count(*) FROM events WHERE record LIKE '%goalId%'") == 0)
        try connection.execute("ALTER ROLE \(role) CONNECTION LIMIT 10")
        let store = PostgresVisitorStore(try schema.database())
        #expect(
            await eventually {
                await server.sdk.flush()
                for number in 0..<50 {
                    guard let record = try? await store.load("10-20-v\(number)"), record.goals?.isEmpty == false else {
                        return false
                    }
                }
                return (try? schema.integer("SELECT count(*) FROM claimed_goals")) == 50
            })
        #expect(schema.reported.contains { if case .databaseUnavailable = $0 { true } else { false } })
        #expect(schema.reported.contains { if case .databaseAvailable = $0 { true } else { false } })
        await well.sdk.shutdown()
        await server.sdk.shutdown(deadline: .zero)
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
#endif
