#if Postgres
import ConvertMobileRules
import ConvertStoreContracts
import ConvertStoreSupport
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct EventHistoryTests {
    let schema: TestSchema
    private static let event = EventFingerprint(rawValue: 7)

    init() throws { schema = try TestSchema() }

    private func open(
        _ retention: EventHistoryRetention = EventHistoryRetention(), patience: Duration = .seconds(300)
    ) throws -> PostgresEventHistory {
        PostgresEventHistory(try schema.database(), retention: retention, patience: patience)
    }

    @Test(arguments: EventHistoryContract.allCases)
    func keepsTheContract(clause: EventHistoryContract) async throws {
        try await aside { _ = try open().occurrences(of: Self.event, in: 0...0) }
        try await clause.check { try open() }
    }

    @Test func recordsThatCannotBeWrittenWaitAndCount() async throws {
        let history = try open(patience: .milliseconds(200))
        // A first connection makes the tables, and may take longer.
        while (try? await aside({ try history.occurrences(of: Self.event, in: 0...0) })) == nil {}
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE occurrences IN SHARE MODE")
        try await aside { try history.record(Self.event, at: 5) }
        #expect(history.waitingRecordCount == 1)
        await #expect(throws: StorageError.self) { try await aside { _ = try history.recordIfNew(Self.event, at: 9) } }
        // A look-up may take longer than this history waits.
        #expect(
            await eventually {
                (try? await aside { try history.occurrences(of: Self.event, in: 0...10) })?.count == 1
            })
        try other.execute("COMMIT")
        #expect(await eventually { history.waitingRecordCount == 0 })
        #expect(try schema.integer("SELECT count(*) FROM occurrences WHERE time = 5") == 1)
    }

    @Test func aRecordRemovedDuringItsWriteStaysRemoved() async throws {
        let history = PostgresEventHistory(
            try schema.database("\(schema.address) application_name=\(schema.name)"), patience: .seconds(300))
        try await aside { try history.record(Self.event, at: 50) }
        let other = try schema.connection()
        try other.execute("BEGIN; INSERT INTO occurrences VALUES (7, 5)")
        _ = try history.begin(Self.event, at: 5, onlyIfNew: false)
        let waiting: StaticString = """
            SELECT count(*) FROM pg_stat_activity
                WHERE application_name = current_schema() AND wait_event_type = 'Lock'
            """
        #expect(await eventually { (try? schema.integer(waiting)) == 1 })
        #expect(try await aside { try history.remove(Self.event, in: 0...9) } == 1)
        try other.execute("ROLLBACK")
        // It is written behind what was removed.
        try await aside { try history.record(Self.event, at: 60) }
        #expect(try await aside { try history.occurrences(of: Self.event, in: 0...100) }.times == 50...60)
    }

    @Test func anAbandonedRecordIsNewForOtherProcesses() async throws {
        let history = try open(patience: .milliseconds(200))
        while (try? await aside({ try history.occurrences(of: Self.event, in: 0...0) })) == nil {}
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE occurrences IN SHARE MODE")
        for time in [9, 11] as [Int64] {
            await #expect(throws: StorageError.self) {
                try await aside { _ = try history.recordIfNew(Self.event, at: time) }
            }
        }
        try other.execute("COMMIT")
        let patient = try open()
        // It is written behind what is taken back.
        while (try? await aside({ try history.record(EventFingerprint(rawValue: 8), at: 1) })) == nil
            || history.waitingRecordCount > 0
        {}
        #expect(try await aside { try patient.recordIfNew(Self.event, at: 50) })
        #expect(try await aside { try patient.occurrences(of: Self.event, in: 0...100) }.count == 1)
    }

    @Test func recordsGivenUpDuringTheirWriteAreNotKept() {
        var waiting = WaitingRecords()
        let ticket = waiting.add(Self.event, at: 5, onlyIfNew: true)
        let written = waiting.entries
        waiting.giveUp(ticket)
        waiting.finish(written, with: [true])
        #expect(waiting.outcomeCount == 0 && waiting.entries.isEmpty)
    }

    @Test func keepsNoMoreThanItIsTo() async throws {
        let history = try open(EventHistoryRetention(maximumCount: 50))
        for time in 0..<200 { try await aside { try history.record(Self.event, at: Int64(time)) } }
        #expect(
            await eventually {
                (try? schema.integer("SELECT count(*) FROM occurrences")).map { $0 <= 55 } ?? false
            })
        #expect(try schema.integer("SELECT max(time) FROM occurrences") == 199)
        let young = try open(EventHistoryRetention(maximumCount: 50, maximumAge: 20))
        for time in 200..<220 { try await aside { try young.record(Self.event, at: Int64(time)) } }
        #expect(
            await eventually { (try? schema.integer("SELECT min(time) FROM occurrences")).map { $0 >= 185 } ?? false })
    }

    @Test func eventsThatAreRecordedTogetherInOtherOrdersDoNotStandInEachOthersWay() async throws {
        let histories = try (0..<2).map { _ in try open() }
        let answers = try await withThrowingTaskGroup { group in
            for index in 0..<40 {
                group.addTask {
                    try await aside {
                        let history = histories[index % 2]
                        var tickets: [Int] = []
                        for step in 0..<10 {
                            let event = UInt32(index % 4 < 2 ? step : 9 - step)
                            let begun = try history.begin(
                                EventFingerprint(rawValue: event), at: 1000, onlyIfNew: true)
                            if case .waits(let ticket) = begun { tickets.append(ticket) }
                        }
                        return try history.finish(tickets).count { try $0.get() }
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(answers == 10, "each was new once")
    }
}
#endif
