import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
@testable import ConvertSQLiteStores
import Foundation
import Testing

/// Mobile rules that ask a history in a file.
@Suite(.timeLimit(.minutes(10)))
struct RulesHistoryTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    /// Shows its message until the history holds that it was shown, which it notes itself; the second rule tells of a
    /// history that cannot be read.
    private static let rules = #"""
        {"version": 1, "rules": [
          {"condition": {"type": "historical", "definition":
             {"events": [{"message": "m"}], "matcher": "eq", "value": 0}},
           "consequences": [
             {"id": "message", "type": "iam", "detail": {"template": "alert"}},
             {"id": "note", "type": "schema", "detail": {"id": "n",
               "schema": "https://ns.adobe.com/personalization/eventHistoryOperation",
               "data": {"operation": "insertIfNotExists", "content": {"message": "m"}}}}]},
          {"condition": {"type": "historical", "definition":
             {"events": [{"message": "m"}], "matcher": "eq", "value": -1}},
           "consequences": [{"id": "unreadable", "type": "an", "detail": {}}]}]}
        """#

    private func process(_ history: SQLiteEventHistory, mask: [String]? = nil) throws -> MobileRulesResult {
        var configuration = MobileRulesConfiguration()
        configuration.history = history
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: Data(Self.rules.utf8)))
        return engine.process(MobileEvent(type: "t", source: "s", data: ["k": 1], mask: mask))
    }

    private func open(waiting milliseconds: Int32 = 1000) throws -> SQLiteEventHistory {
        var options = StoreFile.Options()
        options.busyTimeout = milliseconds
        return try SQLiteEventHistory(
            file: folder.file(), retention: EventHistoryRetention(), options: options, report: reports.collect)
    }

    @Test func aMessageShownOnceIsNotShownAfterARestart() throws {
        #expect(try process(open()).triggered.map(\.consequence.id) == ["message", "note"])
        #expect(try process(open()).triggered.isEmpty)
    }

    @Test func aCorruptDatabaseIsSetAsideAndBegunAnew() async throws {
        #expect(try process(open()).triggered.count == 2)
        #expect(await folder.isClosed())
        try Data("This was a database once.".utf8).write(to: folder.file())
        #expect(try process(open()).triggered.map(\.consequence.id) == ["message", "note"])
        #expect(reports.all.count == 1)
        #expect(folder.names.contains("store.sqlite.corrupt-1"))
        #expect(try process(open()).triggered.isEmpty)
    }

    @Test func aLockedDatabaseIsAWarningAndWhatDependsOnItIsSkipped() throws {
        let history = try open(waiting: 20)
        let other = try Connection(path: folder.file().path, busyTimeout: 5_000)
        // Readers go on beside this writer, so the condition is answered and the note fails.
        try other.execute("BEGIN IMMEDIATE")
        let result = try process(history, mask: ["k"])
        #expect(result.triggered.map(\.consequence.id) == ["message"])
        #expect(result.recorded.isEmpty)
        #expect(result.warnings.map(\.place) == ["$.rules[0], consequence 'note'", "event history"])
        try other.execute("ROLLBACK")
        #expect(try process(history).triggered.count == 2)
    }

    @Test func aDatabaseThatCannotBeReadIsMinusOne() async throws {
        let history = try open(waiting: 20)
        // Somebody put a folder into the file's place, where the history may make itself anew meanwhile.
        var count = 0
        let isReplaced = await eventually {
            count += 1
            try? FileManager.default.moveItem(at: folder.file(), to: folder.file("moved\(count)"))
            let made: Void? = try? FileManager.default.createDirectory(
                at: folder.file(), withIntermediateDirectories: false)
            return made != nil
        }
        #expect(isReplaced)
        let result = try process(history)
        #expect(result.triggered.map(\.consequence.id) == ["unreadable"])
        #expect(result.warnings.map(\.place) == ["event history"])
    }

    @Test func aTableThatIsGoneIsMadeAnew() async throws {
        let history = try open()
        #expect(try process(history).triggered.count == 2)
        try Connection(path: folder.file().path, busyTimeout: 5_000).execute("DROP TABLE occurrences")
        #expect(try process(history).triggered.map(\.consequence.id) == ["message", "note"])
        #expect(try process(history).triggered.isEmpty)
        #expect(await eventually { !reports.all.isEmpty })
        let aside = folder.file().path + ".corrupt-1"
        #expect(reports.all == [.corruptDatabaseSetAside(path: folder.file().path, movedTo: aside)])
    }
}
