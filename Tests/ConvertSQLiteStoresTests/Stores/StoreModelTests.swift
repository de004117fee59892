import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Each store beside a plain model of it, through random calls, restarts and damages that can be mended.
@Suite(.timeLimit(.minutes(10)))
struct StoreModelTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    /// Damages that lose nothing.
    private static let damages = [
        "PRAGMA user_version = -9", "PRAGMA user_version = 0; PRAGMA application_id = 0", "PRAGMA user_version = 0",
        "DROP TRIGGER occurrence_added; DROP TRIGGER occurrence_removed", "DROP INDEX occurrences_by_time",
        "UPDATE occurrence_count SET count = \(Int64.max)", "UPDATE visitor_count SET count = -1",
        "DELETE FROM visitor_count", "DROP TABLE occurrence_count",
        "UPDATE sqlite_sequence SET seq = \(Int64.max)", "UPDATE sqlite_sequence SET seq = -1",
    ]

    private func damage(_ random: inout SeededGenerator) throws {
        try Connection(path: folder.file().path, busyTimeout: 10_000).execute(random.pick(Self.damages))
    }

    private var options: StoreFile.Options {
        var options = StoreFile.Options()
        // Small, so that the log is moved and begun anew all the time.
        options.log = LogLimits(moved: 10, restarted: 30, longest: 3000)
        options.arrivals = ArrivalLimits(full: 50_000, longest: 200_000, idsAtOnce: 20)
        return options
    }

    @Test(arguments: 0..<4) func theJournalIsAList(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        var model: [JournaledEvent] = []
        var given: Set<Int64> = []
        var journal: SQLiteEventJournal? = try SQLiteEventJournal(
            file: folder.file(), options: options, report: reports.collect)
        for step in 0..<600 {
            switch random.int(1...100) {
            case 1...60:
                let records = random.list(upTo: 4) { Data(count: $0.int(0...5000)) }
                let ids = try journal?.append(records) ?? []
                #expect(ids.count == records.count && ids == ids.sorted() && given.isDisjoint(with: ids))
                #expect((ids.first ?? .max) > (model.last?.id ?? 0), "step \(step)")
                given.formUnion(ids)
                model += zip(ids, records).map { JournaledEvent(id: $0, record: $1) }
            case 61...80:
                let ids = model.filter { _ in random.happens(30) }.map(\.id)
                try await journal?.remove(ids + [random.pick([0, -1, 5, .min, .max])])
                model.removeAll { ids.contains($0.id) }
            case 81...95:
                let after = random.pick([0, model.first?.id ?? 0, model.last?.id ?? 0, .max])
                let limit = random.int(1...300)
                let expected = model.filter { $0.id > after }.prefix(limit)
                #expect(try await journal?.events(after: after, limit: limit) == Array(expected), "step \(step)")
            default:
                journal = nil
                if random.happens(50) { try damage(&random) }
                journal = try SQLiteEventJournal(file: folder.file(), options: options, report: reports.collect)
            }
        }
        #expect(try await journal?.events(after: 0, limit: 100_000) == model)
    }

    @Test(arguments: 0..<4) func theVisitorStoreIsADictionary(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let limit = 30
        var model: [(key: String, state: VisitorState)] = []
        func open() throws -> SQLiteVisitorStore {
            try SQLiteVisitorStore(
                file: folder.file(), maximumCount: limit, options: options, report: reports.collect)
        }
        var store = try open()
        for step in 0..<600 {
            let key = "v\(random.int(0...50))"
            switch random.int(1...100) {
            case 1...60:
                let change = try VisitorState(
                    json: #"{"goals":{"\#(random.int(0...9))":true},"segments":{"source":"\#(step)"}}"#)
                try await store.save(change, for: key)
                let known = model.firstIndex { $0.key == key }.map { model.remove(at: $0).state }
                model.append((key, (known ?? VisitorState()).merging(change)))
                if model.count > limit { model.removeFirst(model.count - limit) }
            case 61...92:
                let found = try await store.load(key)
                #expect(found == model.first { $0.key == key }?.state, "step \(step), \(key)")
            default:
                if random.happens(50) { try damage(&random) }
                store = try open()
            }
        }
        for (key, state) in model { #expect(try await store.load(key) == state) }
    }

    @Test(arguments: 0..<4) func theHistoryIsTheOneInMemory(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let retention = EventHistoryRetention(maximumAge: seed % 2 == 0 ? nil : 50)
        let model = InMemoryEventHistory(retention: retention)
        func open(_ milliseconds: Int32 = 0) throws -> SQLiteEventHistory {
            var options = options
            options.busyTimeout = 10_000
            return try SQLiteEventHistory(
                file: folder.file(), retention: retention, options: options, report: reports.collect)
        }
        var history = try open()
        for step in 0..<800 {
            let event = EventFingerprint(rawValue: UInt32(random.int(0...4)))
            let time = Int64(random.int(-20...20) + step / 4)
            switch random.int(1...100) {
            case 1...40:
                try history.record(event, at: time)
                model.record(event, at: time)
            case 41...55:
                let (isNew, expected) = (try history.recordIfNew(event, at: time), model.recordIfNew(event, at: time))
                // Of times before 1970 only the file's rule knows that the very same is there.
                #expect(isNew == expected || time < 0, "step \(step)")
            case 56...60 where retention.maximumAge == nil:
                let removed = try history.remove(event, in: time...time + 5)
                #expect(removed == model.remove(event, in: time...time + 5), "step \(step)")
            case 61...95:
                let window = time...time + Int64(random.int(0...100))
                let found = try history.occurrences(of: event, in: window)
                #expect(found == model.occurrences(of: event, in: window), "step \(step), \(window)")
            default:
                if random.happens(50) { try damage(&random) }
                history = try open()
            }
        }
    }

    /// Whatever happened to the bytes, the journal opens, reads in order, removes and appends.
    @Test(arguments: 0..<40) func aFileOfAnyBytesIsReplacedOrUsed(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        do {
            let journal = try SQLiteEventJournal(file: folder.file())
            for number in 0..<60 {
                let record = Data("record \(number) \(random.text(of: "abc", 0...400))".utf8)
                _ = try journal.append([record])
            }
        }
        #expect(await folder.isClosed())
        var bytes = try Data(contentsOf: folder.file())
        for _ in 0..<random.int(1...3) {
            switch random.int(0...3) {
            case 0: bytes[random.int(0...bytes.count - 1)] ^= UInt8(random.int(1...255))
            case 1: bytes = bytes.prefix(random.int(1...bytes.count))
            case 2:
                let start = random.int(0...bytes.count - 1)
                let end = min(bytes.count, start + random.int(1...5000))
                let fill = UInt8(random.int(0...255))
                bytes.replaceSubrange(start..<end, with: Data(repeating: fill, count: end - start))
            default: bytes[random.int(0...min(99, bytes.count - 1))] = UInt8(random.int(0...255))
            }
        }
        try bytes.write(to: folder.file())
        do {
            let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
            let ids = try journal.append([Data("new".utf8)])
            let events = try await journal.events(after: 0, limit: 1000)
            #expect(events.map(\.id) == events.map(\.id).sorted() && events.contains { $0.id == ids[0] })
            try await journal.remove(events.map(\.id))
            #expect(try await journal.events(after: 0, limit: 1000).isEmpty)
            _ = try journal.append([Data("newer".utf8)])
        } catch let error as StorageError {
            // Its mark, or the number of its version, says that it is none of our business.
            #expect([.foreignDatabase, .newerVersion].contains(error.code), "\(error)")
        }
    }
}
