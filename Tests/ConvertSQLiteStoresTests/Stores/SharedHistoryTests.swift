import ConvertTestSupport
import ConvertConcurrency
import ConvertECMAScript
import ConvertMobileRules
@testable import ConvertSQLiteStores
import Foundation
import Testing

/// A history that another process keeps busy, and one that several share.
@Suite(.timeLimit(.minutes(10)))
struct SharedHistoryTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private static let event = EventFingerprint(rawValue: 7)
    private static let always = Int64.min...Int64.max

    private func open(
        waiting milliseconds: Int32 = 1000, retention: EventHistoryRetention = EventHistoryRetention(),
        waitingLimit: Int = SQLiteEventHistory.waitingLimit
    ) throws -> SQLiteEventHistory {
        var options = StoreFile.Options()
        options.busyTimeout = milliseconds
        return try SQLiteEventHistory(
            file: folder.file(), retention: retention, options: options, waitingLimit: waitingLimit,
            report: reports.collect)
    }

    private func other() throws -> Connection { try Connection(path: folder.file().path, busyTimeout: 1000) }

    @Test func aRecordThatCannotBeWrittenWaitsAndCounts() async throws {
        let history = try open(waiting: 20)
        try history.record(Self.event, at: 1)
        let other = try other()
        try other.execute("BEGIN IMMEDIATE")
        for time in [2, 3, 3] as [Int64] { try history.record(Self.event, at: time) }
        #expect(history.waitingRecordCount == 3)
        #expect(try history.occurrences(of: Self.event, in: Self.always) == EventOccurrences(count: 3, times: 1...3))
        #expect(try history.occurrences(of: Self.event, in: 3...3).count == 1)
        #expect(try other.integer("SELECT count(*) FROM occurrences") == 1)
        #expect(await eventually { reports.all == [.recordsWaiting(path: folder.file().path)] })
        try other.execute("COMMIT")
        #expect(await eventually { history.waitingRecordCount == 0 })
        #expect(try other.integer("SELECT count(*) FROM occurrences") == 3)
        #expect(try history.occurrences(of: Self.event, in: Self.always) == EventOccurrences(count: 3, times: 1...3))
    }

    @Test func recordsThatWaitAreBounded() throws {
        let limit = 100
        let history = try open(waiting: 0, waitingLimit: limit)
        let other = try other()
        try other.execute("BEGIN IMMEDIATE")
        for time in 0..<Int64(limit) { try history.record(Self.event, at: time) }
        #expect(throws: StorageError(.busy, path: folder.file().path, underlyingCode: 5)) {
            try history.record(Self.event, at: -1)
        }
        #expect(history.waitingRecordCount == limit)
        try other.execute("COMMIT")
        try history.record(Self.event, at: -1)
        #expect(history.waitingRecordCount == 0)
        let found = try history.occurrences(of: Self.event, in: Self.always)
        #expect(found.count == limit + 1)
    }

    @Test func waitingRecordsAreWrittenAtTheEnd() async throws {
        var history: SQLiteEventHistory? = try open(waiting: 0)
        let other = try other()
        try other.execute("BEGIN IMMEDIATE")
        try history?.record(Self.event, at: 1)
        try other.execute("COMMIT")
        history = nil
        #expect(await eventually { (try? other.integer("SELECT count(*) FROM occurrences")) == 1 })
        #expect(!reports.all.contains(.recordsLost(path: folder.file().path, count: 1)))
    }

    @Test func unwrittenRecordsAreReportedAsLostAtTheEnd() async throws {
        var history: SQLiteEventHistory? = try open(waiting: 0)
        let other = try other()
        try other.execute("BEGIN IMMEDIATE")
        for time in 1...3 as ClosedRange<Int64> { try history?.record(Self.event, at: time) }
        history = nil
        // The end comes when the thread that tries to write has let go of the history.
        let losses = { reports.all.filter { $0 != .recordsWaiting(path: folder.file().path) } }
        #expect(await eventually { losses() == [.recordsLost(path: folder.file().path, count: 3)] })
    }

    @Test func aRecordThatIsToBeNewIsNotMadeLater() throws {
        let history = try open(waiting: 20)
        let other = try other()
        try other.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: StorageError.self) { try history.recordIfNew(Self.event, at: 5) }
        #expect(error?.code == .busy)
        #expect(history.waitingRecordCount == 0)
        try other.execute("COMMIT")
        #expect(try history.occurrences(of: Self.event, in: Self.always) == .none)
        #expect(try history.recordIfNew(Self.event, at: 5))
        #expect(try !history.recordIfNew(Self.event, at: 6))
        #expect(try history.occurrences(of: Self.event, in: Self.always).count == 1)
    }

    /// The engine handles other events while one waits, and what waits counts for them.
    @Test func anEventThatWaitsHoldsUpNoOther() async throws {
        let history = try open(waiting: 60_000)
        let engine = try engine(history)
        let other = try other()
        try other.execute("BEGIN IMMEDIATE")
        let first = Task { try await aside { engine.process(Self.showing) } }
        // It waits for the lock, and yet this one is answered, which sees that the message is being shown.
        #expect(await eventually { history.waitingRecordCount == 1 })
        let second = try await aside { engine.process(Self.showing) }
        #expect(second.triggered.isEmpty && second.warnings.isEmpty)
        try other.execute("COMMIT")
        #expect(try await first.value.triggered.map(\.consequence.id) == ["note"])
        #expect(try other.integer("SELECT count(*) FROM occurrences") == 1)
    }

    /// The record is written beside the caller just when that gives up.
    @Test func onlyReportedChangesAreRemembered() async throws {
        let history = try open(waiting: 1)
        let path = folder.file().path
        let isOver = Latch()
        let locking = Task {
            try await aside {
                let other = try Connection(path: path, busyTimeout: 1000)
                while !isOver.isOpen {
                    try other.execute("BEGIN IMMEDIATE")
                    usleep(1500)
                    try other.execute("COMMIT")
                    usleep(100)
                }
            }
        }
        let answers = try await withThrowingTaskGroup(of: [(EventFingerprint, Bool?)].self) { group in
            for thread in 0..<4 as Range<UInt32> {
                group.addTask {
                    try await aside {
                        (0..<200 as Range<UInt32>).map { number in
                            let event = EventFingerprint(rawValue: 1000 * thread + number + 1)
                            return (event, try? history.recordIfNew(event, at: 1))
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        isOver.open()
        try await locking.value
        #expect(history.outcomeCount == 0)
        let wrong = try answers.filter { event, isNew in
            try history.occurrences(of: event, in: Self.always).count != (isNew == true ? 1 : 0)
        }
        #expect(wrong.isEmpty, "of \(answers.count), \(answers.count { $0.1 == nil }) of them given up")
    }

    @Test func aBeginningPaysForOnePortionOfWhatWaits() throws {
        let history = try open(waiting: 0)
        let other = try other()
        try other.execute("BEGIN IMMEDIATE")
        for time in 0..<2000 as Range<Int64> { try history.record(Self.event, at: time) }
        try other.execute("COMMIT")
        _ = try history.begin(Self.event, at: 2000, onlyIfNew: false)
        // The history's own thread may have begun as well.
        let written = try other.integer("SELECT count(*) FROM occurrences")
        #expect(written >= WaitingRecords.portion)
        #expect(try history.occurrences(of: Self.event, in: Self.always).count == 2001)
    }

    @Test func aRecordThatWasRemovedWhileItWasWrittenTakesNoOtherOfItsTimeAlong() {
        var waiting = WaitingRecords()
        waiting.count(waiting.add(Self.event, at: 5, onlyIfNew: false))
        let written = waiting.entries
        waiting.remove(Self.event, in: Self.always)
        waiting.count(waiting.add(Self.event, at: 5, onlyIfNew: false))
        waiting.finish(written, with: [true])
        #expect(waiting.times(of: Self.event, in: Self.always) == [5])
        #expect(waiting.entries.count == 1)
    }

    @Test func aMessageThatAnotherProcessShowedIsNotShownAgain() async throws {
        let history = try open(waiting: 60_000)
        let engine = try engine(history)
        let other = try other()
        try other.execute("BEGIN IMMEDIATE")
        let waiting = Task { try await aside { engine.process(Self.showing) } }
        #expect(await eventually { history.waitingRecordCount == 1 })
        let content = EventFingerprint(of: ["message": "m"])
        try other.execute("INSERT INTO occurrences VALUES (\(content.rawValue), 1); COMMIT")
        let result = try await waiting.value
        #expect(result.triggered.isEmpty && result.recorded.isEmpty && result.warnings.isEmpty)
    }

    @Test func aMessageForOneTimeIsShownByOneOfManyProcesses() async throws {
        let probes = try (0..<3).map { _ in try Probe("show", folder.file().path, "300") }
        let shown = await Probe.wholeOutputs(probes).compactMap { Int($0) }
        #expect(shown.count == 3 && shown.reduce(0, +) == 300, "\(shown)")
    }

    @Test func aTimeFromTheFutureDoesNotEmptyTheHistory() throws {
        let year: Int64 = 365 * 86_400_000
        let history = try open(retention: EventHistoryRetention(maximumAge: 86_400_000))
        let inMemory = InMemoryEventHistory(retention: EventHistoryRetention(maximumAge: 86_400_000))
        for time in [year, year + 1, 2 * year, year + 2, year + 3] {
            try history.record(Self.event, at: time)
            inMemory.record(Self.event, at: time)
        }
        let found = try history.occurrences(of: Self.event, in: 0...year + 1000)
        #expect(found == EventOccurrences(count: 4, times: year...year + 3))
        #expect(inMemory.occurrences(of: Self.event, in: 0...year + 1000) == found)
    }

    /// A million rows too old took 5.7 s in one record.
    /// A record takes the first step, the history's own thread the others.
    @Test func muchThatIsTooOldGoesInSteps() throws {
        do { _ = try open() }
        let connection = try other()
        try connection.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO occurrences SELECT i % 100 + 100, i % 1000 + i / 100 * 1000 FROM n;
            INSERT INTO occurrences VALUES (7, 1000000), (7, 1000001)
            """)
        let cleaning = HistoryCleaning(EventHistoryRetention(maximumCount: 1_000_000, maximumAge: 1000))
        var counts = [try connection.integer("SELECT count(*) FROM occurrences")]
        var hasMore = try cleaning.clean(after: 1_000_001, connection)
        #expect(hasMore)
        while true {
            counts.append(try connection.integer("SELECT count(*) FROM occurrences"))
            guard hasMore else { break }
            hasMore = try cleaning.step(connection)
        }
        #expect(counts.first == 20_002 && counts.last == 2)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { (0...HistoryCleaning.step).contains(Int($0 - $1)) })
        #expect(try connection.integer("SELECT count FROM occurrence_count") == 2)
    }

    @Test func oldRecordsAreRemovedWhileOthersAreWritten() async throws {
        let history = try open(retention: EventHistoryRetention(maximumCount: 1_000_000, maximumAge: 1000))
        let other = try other()
        for time in 1...1_000 as ClosedRange<Int64> { try history.record(Self.event, at: time) }
        for time in 1_000_000...1_000_001 as ClosedRange<Int64> { try history.record(Self.event, at: time) }
        #expect(await eventually { (try? other.integer("SELECT count(*) FROM occurrences")) == 2 })
    }

    @Test func aSmallerLimitIsReachedInSteps() async throws {
        do {
            let history = try open()
            for time in 1...3000 as ClosedRange<Int64> { try history.record(Self.event, at: time) }
        }
        let history = try open(retention: EventHistoryRetention(maximumCount: 100))
        #expect(await eventually { (try? history.occurrences(of: Self.event, in: Self.always).count) == 100 })
        #expect(try history.occurrences(of: Self.event, in: Self.always).times == 2901...3000)
    }

    @Test func aWrongCounterForgetsNothing() async throws {
        do {
            let history = try open()
            for time in 1...100 as ClosedRange<Int64> { try history.record(Self.event, at: time) }
            // Not beyond what the file has room for.
            try other().execute("UPDATE occurrence_count SET count = 1000")
        }
        let history = try open(retention: EventHistoryRetention(maximumCount: 500))
        try history.record(Self.event, at: 101)
        #expect(try history.occurrences(of: Self.event, in: Self.always).count == 101)
        #expect(try other().integer("SELECT count FROM occurrence_count") == 101)
    }

    private static let showing = MobileEvent(type: "t", source: "s", data: ["k": 1])

    private func engine(_ history: SQLiteEventHistory) throws -> MobileRulesEngine {
        var configuration = MobileRulesConfiguration()
        configuration.history = history
        let engine = MobileRulesEngine(configuration)
        let rules = #"""
            {"version": 1, "rules": [
              {"condition": {"type": "historical", "definition":
                 {"events": [{"message": "m"}], "matcher": "eq", "value": 0}},
               "consequences": [{"id": "note", "type": "schema", "detail": {"id": "n",
                   "schema": "https://ns.adobe.com/personalization/eventHistoryOperation",
                   "data": {"operation": "insertIfNotExists", "content": {"message": "m"}}}}]}]}
            """#
        engine.replaceRules(with: try RulesDocument(json: Data(rules.utf8)))
        return engine
    }
}
