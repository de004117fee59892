#if Postgres
import ConvertConcurrency
import ConvertMobileRules
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Two servers' histories in one database whose connections end and whose answers are lost, against what was answered.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
final class HistoryModelTests: Sendable {
    private struct Answers {
        /// Events of calls that failed: those may have been new, or not.
        var unsure: Set<UInt32> = []
        var asked: Set<UInt32> = []
        var news: [UInt32: Int] = [:]
    }

    private let schema: TestSchema
    private let answers = Mutex(Answers())

    init() throws { schema = try TestSchema() }

    @Test(arguments: 0..<caseCount(3)) func anEventIsNewOnce(seed: Int) async throws {
        try await schema.database().prepare()
        // With little patience calls are given up while they are being worked on.
        let patience: Duration = seed % 2 == 0 ? .seconds(300) : .milliseconds(30)
        let proxy = try TestProxy(to: schema.port)
        defer { proxy.stop() }
        let address = schema.address(through: proxy)
        let histories = try (0..<2).map { _ in
            PostgresEventHistory(try schema.database(address), patience: patience)
        }
        let disturbance = Task { try await self.disturb(proxy, SeededGenerator(seed: seed)) }
        try await withThrowingTaskGroup { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SeededGenerator(seed: seed * 100 + worker)
                    for _ in 0..<20 {
                        let event = UInt32(random.int(1...25))
                        let history = histories[worker % 2]
                        let isNew = try? await aside {
                            try history.recordIfNew(EventFingerprint(rawValue: event), at: 1000)
                        }
                        self.answers.withLock { answers in
                            answers.asked.insert(event)
                            if isNew == nil { answers.unsure.insert(event) }
                            if isNew ?? false { answers.news[event, default: 0] += 1 }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        disturbance.cancel()
        try await disturbance.value
        let found = answers.withLock { $0 }
        for event in found.asked {
            let count = found.news[event] ?? 0
            #expect(found.unsure.contains(event) ? count <= 1 : count == 1, "event \(event)")
        }
    }

    /// Ends connections, loses answers and locks the table until the task is cancelled.
    private func disturb(_ proxy: TestProxy, _ generator: SeededGenerator) async throws {
        var random = generator
        let connection = try schema.connection()
        while !Task.isCancelled {
            switch random.int(0...9) {
            case 0...5: proxy.lose(after: random.int(0...5), request: false)
            case 6, 7: try schema.endSessions(percent: 50)
            default:
                try connection.execute("BEGIN; LOCK TABLE occurrences IN SHARE MODE")
                try? await Task.sleep(for: .milliseconds(20))
                try connection.execute("COMMIT")
            }
            try? await Task.sleep(for: .milliseconds(random.int(1...15)))
        }
    }
}
#endif
