#if Postgres
import ConvertConcurrency
import ConvertMobileRules
import ConvertMonitoring
import ConvertPostgresStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import ConvertTransport
import Foundation

/// Three servers on one database decide, convert and take over each other's events, while their connections are cut.
struct FleetScenario {
    /// The connection string of a superuser.
    let database: String

    private static let schema = "convert_stress"
    private static let visitors = 20
    private static let patience = Duration.seconds(300)

    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
        "experiences": [{"id": "91", "key": "split", "variations": [
        {"id": "910", "key": "a", "traffic_allocation": 50}, {"id": "911", "key": "b", "traffic_allocation": 50}]}]}
        """.utf8)

    func run(_ check: inout Check) async throws {
        let transport = ScriptedTransport(status: 200)
        let servers = try (0..<3).map { _ in try server(transport) }
        let history = try PostgresEventHistory(PostgresDatabase(database, schema: Self.schema))
        let disturber = Task {
            while !Task.isCancelled {
                try await endSessions()
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask { await Self.work(worker, on: servers[worker % 3]) }
            }
            group.addTask {
                for number in 0..<40 {
                    _ = try? await aside {
                        try history.recordIfNew(EventFingerprint(rawValue: UInt32(number % 5)), at: Int64(number))
                    }
                }
            }
        }
        disturber.cancel()
        _ = try? await disturber.value
        for server in servers { await server.shutdown(deadline: Self.patience) }
        for server in servers {
            let counts = server.deliveryCounts
            let (entered, left) = (counts.accepted + counts.restored, counts.delivered + counts.rejectedTotal)
            check.expect(entered == left + counts.queued, "\(counts) adds up")
        }
        let restored = servers.map(\.deliveryCounts.restored).reduce(0, +)
        print("    \(restored) events changed their server")
        // At least once: a server whose lease has ended may have sent what another one took over.
        let converted = Set(transport.requests.flatMap { NumberedConversion.all(in: $0.body).map(\.visitor) })
        check.expect(
            converted == Set((0..<Self.visitors).map { "visitor \($0)" }), "all visitors convert: \(converted)")
        let stored = try await query("SELECT count(*) FROM \(Self.schema).visitors")
        check.expect(stored == "\(Self.visitors)", "\(Self.visitors) visitors are stored, not \(stored)")
    }

    private func server(_ transport: ScriptedTransport) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        configuration.releaseInterval = .milliseconds(5)
        configuration.loadTimeout = Self.patience
        configuration.ledger = try PostgresLedger(
            "\(database) application_name=\(Self.schema)", schema: Self.schema, anyLease: .milliseconds(60),
            report: { _ in })
        configuration.ledgerPatience = .seconds(3600)
        return try ConvertSDK(configData: Self.config, configuration: configuration, transport: transport)
    }

    private static func work(_ worker: Int, on server: ConvertSDK) async {
        for round in 0..<40 {
            let visitorID = "visitor \(round % visitors)"
            let context =
                round % 3 == 0
                ? server.createContext(visitorID: visitorID) : await server.loadContext(visitorID: visitorID)
            context.decide("split")
            var conversion = ConversionOptions()
            conversion.goalData = [.integer(round)]
            context.trackConversion("purchase", options: conversion)
            if round % 10 == 0 { await server.flush() }
        }
    }

    /// Ends about a third of the servers' sessions.
    private func endSessions() async throws {
        _ = try await query(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE application_name = '\(Self.schema)' AND random() < 0.3
            """)
    }

    /// What `psql` prints for a statement.
    private func query(_ statement: String) async throws -> String {
        let database = database
        return try await aside {
            let psql = Process()
            psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            psql.arguments = ["psql", database, "-Atqc", statement]
            let output = Pipe()
            psql.standardOutput = output
            try psql.run()
            let text = output.fileHandleForReading.readDataToEndOfFile()
            psql.waitUntilExit()
            return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
#endif
