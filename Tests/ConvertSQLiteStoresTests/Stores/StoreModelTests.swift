import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation
import Testing

/// The event history beside a plain model of it, through random calls, restarts and damages.
@Suite(.timeLimit(.minutes(10)))
struct StoreModelTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private var options: StoreFile.Options {
        var options = StoreFile.Options()
        // Small, so that the log is moved and begun anew all the time.
        options.log = WriteAheadLog.Limits(moved: 10, renewed: 30, longest: 30, held: 3000)
        return options
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
                history = try open()
            }
        }
    }

    /// The bytes of a file with 600 occurrences.
    private static let intact = Task {
        let folder = try TemporaryFolder()
        try await aside {
            let history = try SQLiteEventHistory(file: folder.file())
            for time in 0..<600 as Range<Int64> { try history.record(EventFingerprint(rawValue: 1), at: time) }
        }
        #expect(await folder.isClosed())
        return try Data(contentsOf: folder.file())
    }

    /// Whatever happened to the bytes, the history opens, records and removes. What it finds may be damaged: that
    /// SQLite looks at what it reads does not show every damage.
    @Test(arguments: 0..<40) func aFileOfAnyBytesIsReplacedOrUsed(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let event = EventFingerprint(rawValue: 1)
        var bytes = try await Self.intact.value
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
            let history = try SQLiteEventHistory(file: folder.file(), report: reports.collect)
            try history.record(event, at: 5000)
            _ = try history.occurrences(of: event, in: 0...6000)
            try history.remove(event, in: 0...6000)
            #expect(await eventually { history.waitingRecordCount == 0 })
        } catch let error as StorageError {
            // Its mark, or the number of its version, says that it belongs to something else.
            #expect([.foreignDatabase, .newerVersion].contains(error.code), "\(error)")
        }
    }
}
