import ConvertMonitoring

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

    /// The visitor's record as the database has it.
    private func record(of visitor: String) async throws -> VisitorState? {
        let reader = try schema.ledger()
        let record = try await reader.visitor("10-20-\(visitor)")
        await reader.close()
        return record
    }

    @Test func aGoalIsReportedOnceThoughAllServersCountItAtOnce() async throws {
        let servers = try (0..<3).map { _ in try FleetServer(schema) }
        let visitors = (0..<20).map { "v\($0)" }
        await withTaskGroup { group in
            for server in servers {
                for visitor in visitors {
                    group.addTask {
                        let context = await server.sdk.loadContext(visitorID: visitor)
                        context.trackConversion("purchase")
                    }
                }
            }
        }
        for server in servers { await server.sdk.shutdown(deadline: .seconds(300)) }
        #expect(servers.flatMap(\.conversions).sorted() == visitors.sorted())
        let counts = servers.map(\.sdk.deliveryCounts)
        #expect(counts.reduce(0) { $0 + $1.accepted } == 20 + counts.reduce(0) { $0 + $1.rejectedTotal })
        for count in counts {
            #expect(count.rejectedTotal == count.rejected[.countedElsewhere] ?? 0)
            let (entered, left) = (count.accepted + count.restored, count.delivered + count.rejectedTotal)
            #expect(entered == left + count.queued)
        }
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
        #expect(try schema.integer("SELECT count(*) FROM visitors") == 20)
    }

    @Test func aStoredDecisionIsKnownToTheOtherServer() async throws {
        let (one, other) = (try FleetServer(schema, share: 100), try FleetServer(schema, share: 0))
        let context = await one.sdk.loadContext(visitorID: "v")
        #expect(context.decide("split").variation?.variationID == "910")
        try await context.persisted(within: .seconds(300))
        #expect(await other.sdk.loadContext(visitorID: "v").decide("split").variation?.variationID == "910")
        for server in [one, other] { await server.sdk.shutdown(deadline: .seconds(300)) }
        #expect(one.decisions + other.decisions == ["v"])
    }

    @Test func serversThatDecideOtherwiseAgreeOnWhatWasStoredFirst() async throws {
        let servers = [try FleetServer(schema, share: 100), try FleetServer(schema, share: 0)]
        var contexts: [ConvertContext] = []
        for server in servers { contexts.append(await server.sdk.loadContext(visitorID: "v")) }
        // Neither knows what the other is about to store, or is just storing.
        #expect(contexts.map { $0.decide("split").variation?.variationID } == ["910", "911"])
        for context in contexts { try await context.persisted(within: .seconds(300)) }
        let stored = try await record(of: "v")?.bucketing?["91"]?.stringValue
        #expect(stored == "910" || stored == "911")
        for context in contexts { #expect(context.decide("split").variation?.variationID == stored) }
        for server in servers { await server.sdk.shutdown(deadline: .seconds(300)) }
        #expect(servers.flatMap(\.decisions) == ["v"], "the event of the decision that was not stored is not sent")
    }

    @Test func eventsOfAKilledServerAreDelivered() async throws {
        let killed = try FleetServer(schema, delivers: false)
        let visitors = (0..<300).map { "v\($0)" }
        for visitor in visitors {
            let context = killed.sdk.createContext(visitorID: visitor)
            context.decide("split")
            context.trackConversion("purchase")
            try await context.persisted(within: .seconds(300))
        }
        #expect(try schema.integer("SELECT count(*) FROM events") == 600)
        try schema.endLeases()
        let heirs = try (0..<2).map { _ in try FleetServer(schema, lease: .milliseconds(60)) }
        #expect(
            await eventually {
                heirs.reduce(0) { $0 + $1.sdk.deliveryCounts.delivered } >= 600
                    && (try? schema.integer("SELECT count(*) FROM events")) == 0
            })
        for heir in heirs { await heir.sdk.shutdown(deadline: .seconds(300)) }
        #expect(Set(heirs.flatMap(\.conversions)) == Set(visitors))
        #expect(Set(heirs.flatMap(\.decisions)) == Set(visitors))
        await killed.sdk.shutdown(deadline: .zero)
    }

    /// As a process that was stopped for longer than its lease and goes on.
    @Test func aStalledServerReportsNoGoalTwice() async throws {
        let clock = StepClock()
        let stalled = try FleetServer(schema, releaseInterval: .seconds(3600), time: clock)
        let context = await stalled.sdk.loadContext(visitorID: "v")
        context.trackConversion("purchase")
        try await context.persisted(within: .seconds(300))
        try schema.endLeases()
        let heir = try FleetServer(schema, lease: .milliseconds(60))
        #expect(await eventually { heir.conversions == ["v"] })
        clock.advance(by: .seconds(4000))
        await stalled.sdk.flush()
        for server in [stalled, heir] { await server.sdk.shutdown(deadline: .seconds(300)) }
        #expect(stalled.conversions.isEmpty)
        #expect(heir.conversions == ["v"])
        let counts = stalled.sdk.deliveryCounts
        #expect(counts.accepted == counts.delivered + counts.queued + counts.rejectedTotal)
    }

    /// Had a call to wait for the database, each of them would wait for ten seconds.
    @Test func callsDoNotWaitForADatabaseThatHangs() async throws {
        let proxy = try TestProxy(to: schema.port)
        defer { proxy.stop() }
        let server = try FleetServer(schema, address: schema.address(through: proxy), timeout: .seconds(10))
        let first = server.sdk.createContext(visitorID: "first")
        first.trackConversion("purchase")
        try await first.persisted(within: .seconds(300))
        proxy.swallow(true)
        let decided = await withTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    (0..<100).count { number in
                        let context = server.sdk.createContext(visitorID: "\(task)-\(number)")
                        return context.decide("split").variation != nil
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(decided == 1600)
        #expect(try schema.integer("SELECT count(*) FROM visitors") == 1, "the database has learned of none")
        proxy.swallow(false)
        #expect(await eventually { (try? schema.integer("SELECT count(*) FROM visitors")) == 1601 })
        await server.sdk.shutdown(deadline: .seconds(300))
        #expect(server.decisions.count == 1600)
    }

    @Test func decisionsGoOnWithoutTheDatabaseAndAreStoredAfterwards() async throws {
        let role = "r" + schema.name
        let connection = try schema.connection()
        try await schema.database().prepare()
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'secret' CONNECTION LIMIT 0;
            GRANT USAGE ON SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL SEQUENCES IN SCHEMA \(schema.name) TO \(role)
            """)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let server = try FleetServer(schema, address: "\(schema.address) user=\(role)", delivers: false)
        let well = try FleetServer(schema)
        let contexts = (0..<50).map { server.sdk.createContext(visitorID: "v\($0)") }
        let answers = contexts.map { $0.decide("split").variation?.variationID }
        for context in contexts { context.trackConversion("purchase") }
        let expected = (0..<50).map {
            well.sdk.createContext(visitorID: "v\($0)").decide("split").variation?.variationID
        }
        #expect(answers == expected && !answers.contains(nil))
        #expect(await eventually { server.sdk.ledgerStatus?.isAvailable == false })
        try connection.execute("ALTER ROLE \(role) CONNECTION LIMIT 10")
        for context in contexts { try await context.persisted(within: .seconds(300)) }
        for number in 0..<50 { #expect(try await record(of: "v\(number)")?.goals?.isEmpty == false) }
        #expect(schema.reported.contains { if case .databaseUnavailable = $0 { true } else { false } })
        #expect(schema.reported.contains { if case .databaseAvailable = $0 { true } else { false } })
        await well.sdk.shutdown(deadline: .seconds(300))
        await server.sdk.shutdown(deadline: .zero)
    }
}
#endif
