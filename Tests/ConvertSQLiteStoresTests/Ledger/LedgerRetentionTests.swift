import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// How long a ledger keeps visitors, and how it forgets them.
@Suite(.timeLimit(.minutes(10)))
struct LedgerRetentionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func visitors(_ numbers: ClosedRange<UInt32>, in ledger: SQLiteLedger) async throws -> [UInt32] {
        var found: [UInt32] = []
        for number in numbers where try await ledger.visitor("v\(number)") != nil { found.append(number) }
        return found
    }

    @Test func theVisitorsThatWereNotChangedForLongestGoFirst() async throws {
        let day = Mutex<Int64>(1)
        var options = LedgerFile.Options()
        options.maximumVisitorCount = 1000
        options.today = { day.withLock { $0 } }
        let ledger = try SQLiteLedger(file: folder.file(), options: options, report: nil)
        let user = LedgerUser(owner: try await ledger.begin())
        for first in stride(from: 1, to: 1000, by: 100) as StrideTo<UInt32> {
            _ = try await ledger.commit((first..<first + 100).map { user.entry($0) })
        }
        day.withLock { $0 = 2 }
        _ = try await ledger.commit([LedgerEntry(visitor: "v1", changes: user.entry(2000).changes)])
        _ = try await ledger.commit((1001...1400).map { user.entry($0) })
        #expect(await eventually { (try? await visitors(1...1400, in: ledger))?.count == 1000 })
        #expect(try await visitors(1...1400, in: ledger) == [1] + Array(402...1400))
        // Events stay until they are delivered.
        #expect(try await ledger.undelivered(after: nil, limit: 2000).count == 1400)
        await ledger.close()
    }

    @Test func visitorsThatAreTooOldAreRemoved() async throws {
        let day = Mutex<Int64>(10)
        var options = LedgerFile.Options()
        options.maximumVisitorAge = 3
        options.today = { day.withLock { $0 } }
        let ledger = try SQLiteLedger(file: folder.file(), options: options, report: nil)
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit((1...400).map { user.entry($0) })
        day.withLock { $0 = 13 }
        _ = try await ledger.commit([LedgerEntry(visitor: "v1", changes: user.entry(500).changes)])
        #expect(try await visitors(1...400, in: ledger).count == 400)
        day.withLock { $0 = 14 }
        _ = try await ledger.commit([user.entry(401)])
        #expect(await eventually { (try? await visitors(1...401, in: ledger)) == [1, 401] })
        // A removed visitor begins anew, though the ledger remembers rows.
        let again = try await ledger.commit([LedgerEntry(visitor: "v2", changes: user.entry(501).changes)])
        #expect(again[0].record == user.entry(501).changes.changes)
        await ledger.close()
    }

    @Test func visitorsThatAreTooManyAreRemovedAfterOpening() async throws {
        let first = try SQLiteLedger(file: folder.file())
        let user = LedgerUser(owner: try await first.begin())
        _ = try await first.commit((1...400).map { user.entry($0) })
        await first.close()
        let second = try SQLiteLedger(file: folder.file(), maximumVisitorCount: 50)
        #expect(await eventually { (try? await visitors(1...400, in: second)) == Array(351...400) })
        await second.close()
    }

    /// Records that grow, pages that are divided and merged, a log and free pages: nowhere may a trace be left.
    @Test func nothingOfAForgottenVisitorIsLeftInTheFiles() async throws {
        let ledger = try SQLiteLedger(file: folder.file())
        let owner = try await ledger.begin()
        var random = SeededGenerator(seed: 9)
        var number: UInt32 = 0
        for turn in 0..<20 {
            var entries: [LedgerEntry] = []
            for _ in 0..<100 {
                let visitor = random.int(1...300)
                var changes = VisitorState()
                changes.apply(.goal(PropertyKey("secret-\(visitor)-goal-\(turn)")))
                number += 1
                let text = "secret-\(visitor)-event " + random.text(of: "abc", 0...random.pick([10, 500, 6000]))
                entries.append(
                    LedgerEntry(
                        visitor: "secret-\(visitor)-key", changes: VisitorChanges(changes),
                        events: [LedgerEvent(id: EventID(owner: owner, number: number), record: Data(text.utf8))]))
            }
            _ = try await ledger.commit(entries)
            try await ledger.remove(
                (0..<80).map { _ in EventID(owner: owner, number: UInt32(random.int(1...Int(number)))) })
        }
        for visitor in 1...300 where visitor % 3 == 0 { try await ledger.forget("secret-\(visitor)-key") }
        #expect(try await ledger.visitor("secret-2-key") != nil)
        #expect(try await ledger.visitor("secret-3-key") == nil)
        #expect(folder.size("-wal") == 0)
        await ledger.close()
        for name in folder.names {
            let left = Self.visitors(in: try Data(contentsOf: folder.file(name))).filter { $0 % 3 == 0 }
            #expect(left.isEmpty, "\(name): \(left.sorted())")
        }
        let again = try SQLiteLedger(file: folder.file())
        #expect(try await again.visitor("secret-2-key") != nil)
        await again.close()
    }

    @Test func aLogThatAReaderHeldIsEmptiedOnceItHasGone() async throws {
        let ledger = try SQLiteLedger(file: folder.file())
        let user = LedgerUser(owner: try await ledger.begin())
        _ = try await ledger.commit([user.entry(1)])
        let reader = try Connection(path: folder.file().path, busyTimeout: 0)
        try reader.execute("BEGIN; SELECT count(*) FROM visitors")
        try await ledger.forget("v1")
        for number in 2...11 as ClosedRange<UInt32> { _ = try await ledger.commit([user.entry(number)]) }
        let size = folder.size("-wal")
        try reader.execute("COMMIT")
        #expect(
            await eventually {
                _ = try? await ledger.commit([user.entry(12)])
                return folder.size("-wal") < size
            })
        await ledger.close()
    }

    /// The numbers that follow "secret-" anywhere in `bytes`.
    private static func visitors(in bytes: Data) -> Set<Int> {
        var numbers: Set<Int> = []
        var rest = bytes[...]
        while let range = rest.range(of: Data("secret-".utf8)) {
            rest = rest[range.upperBound...]
            // What is cut off by the end of a page may be the number of another visitor.
            guard let end = rest.prefix(5).firstIndex(of: UInt8(ascii: "-")) else { continue }
            if let number = Int(String(decoding: rest[..<end], as: UTF8.self)) { numbers.insert(number) }
        }
        return numbers
    }

    @Test func aFileGivesRoomBackAfterEventsWereRemoved() async throws {
        let ledger = try SQLiteLedger(file: folder.file())
        let owner = try await ledger.begin()
        let ids = (1...1000 as ClosedRange<UInt32>).map { EventID(owner: owner, number: $0) }
        for part in stride(from: 0, to: 1000, by: 100) {
            _ = try await ledger.commit(
                ids[part..<part + 100].map { id in
                    LedgerEntry(
                        visitor: "v", events: [LedgerEvent(id: id, record: Data(repeating: 1, count: 20_000))])
                })
        }
        try await ledger.remove(ids)
        // Free room of four megabytes may stay for what comes next.
        #expect(
            await eventually {
                _ = try? await ledger.commit([LedgerEntry(visitor: "v")])
                let pages = try? Connection(path: folder.file().path, busyTimeout: 1000).integer("PRAGMA page_count")
                return pages.map { $0 < 1200 } ?? false
            })
        await ledger.close()
    }
}
