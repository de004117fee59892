import ConvertTestSupport
import ConvertStoreContracts
import ConvertMobileRules
@testable import ConvertSQLiteStores
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EventHistoryTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let always = Int64.min...Int64.max
    private static let event = EventFingerprint(rawValue: .max)

    @Test func answersAsTheHistoryInMemory() throws {
        for retention in [EventHistoryRetention(), EventHistoryRetention(maximumAge: 40)] {
            let durable = try SQLiteEventHistory(
                file: folder.file("\(retention.maximumAge ?? 0)"), retention: retention)
            let inMemory = InMemoryEventHistory(retention: retention)
            var random = SplitMix64(state: 7)
            for step in 0..<600 {
                let fingerprint = EventFingerprint(rawValue: .random(in: 0...4, using: &random))
                let time = Int64.random(in: -60...60, using: &random) + Int64(step / 4)
                let window = time...time + .random(in: 0...100, using: &random)
                switch step % 7 {
                case 0...3,
                    4 where retention.maximumAge != nil:
                    try durable.record(fingerprint, at: time)
                    inMemory.record(fingerprint, at: time)
                case 4:
                    let (removed, expected) = (
                        try durable.remove(fingerprint, in: time...time + 3),
                        inMemory.remove(fingerprint, in: time...time + 3)
                    )
                    #expect(removed == expected)
                default: break
                }
                let found = try durable.occurrences(of: fingerprint, in: window)
                #expect(
                    found == inMemory.occurrences(of: fingerprint, in: window),
                    "step \(step), \(fingerprint), \(window)")
            }
        }
    }

    @Test(arguments: EventHistoryContract.allCases)
    func keepsTheContract(clause: EventHistoryContract) async throws {
        try await clause.check { try SQLiteEventHistory(file: folder.file()) }
    }

    @Test func timesMayBeExtreme() throws {
        let history = try SQLiteEventHistory(
            file: folder.file(), retention: EventHistoryRetention(maximumAge: .max))
        for time in [Int64.min, 0, .max] { try history.record(Self.event, at: time) }
        #expect(try history.occurrences(of: Self.event, in: 0...0).count == 1)
        #expect(try history.occurrences(of: Self.event, in: Int64.max...Int64.max).count == 1)
        #expect(try history.occurrences(of: Self.event, in: 1...(.max - 1)) == .none)
    }

    @Test func anEventThatCannotCountIsNotRecorded() throws {
        let history = try SQLiteEventHistory(file: folder.file())
        try history.record(.none, at: 1)
        #expect(try history.occurrences(of: .none, in: Self.always) == .none)
    }

    @Test func keepsNoMoreThanItShould() throws {
        let history = try SQLiteEventHistory(file: folder.file(), retention: EventHistoryRetention(maximumCount: 50))
        for time in 1...500 as ClosedRange<Int64> {
            try history.record(EventFingerprint(rawValue: UInt32(time % 3 + 1)), at: time)
            let counts = try (1...3).map {
                try history.occurrences(of: EventFingerprint(rawValue: $0), in: Self.always).count
            }
            #expect(counts.reduce(0, +) <= 50)
            #expect(time < 45 || counts.reduce(0, +) >= 45)
        }
        #expect(try history.occurrences(of: EventFingerprint(rawValue: 500 % 3 + 1), in: 500...500).count == 1)
    }

    /// To make room for a tenth at once would let one caller wait for thousands of deletions.
    @Test func aFullHistoryMakesRoomForFewAtOnce() throws {
        let history = try SQLiteEventHistory(
            file: folder.file(), retention: EventHistoryRetention(maximumCount: 4_000))
        for time in 1...4_001 as ClosedRange<Int64> { try history.record(Self.event, at: time) }
        let kept = try history.occurrences(of: Self.event, in: Self.always)
        #expect(kept == EventOccurrences(count: 3_750, times: 252...4_001))
    }

    @Test func aLimitOfOneKeepsTheNewest() throws {
        let history = try SQLiteEventHistory(file: folder.file(), retention: EventHistoryRetention(maximumCount: 1))
        for time in [1, 7, 3] as [Int64] { try history.record(Self.event, at: time) }
        #expect(try history.occurrences(of: Self.event, in: Self.always) == EventOccurrences(count: 1, times: 7...7))
    }

    @Test func manyThreadsAndProcessesRecordAtOnce() async throws {
        var options = StoreFile.Options()
        // Others may be kept from running while they hold the database.
        options.busyTimeout = 300_000
        let history = try SQLiteEventHistory(
            file: folder.file(), retention: EventHistoryRetention(), options: options,
            report: StoreDiagnostic.printToStandardError)
        let probes = try ["10000", "20000"].map { try Probe("record", folder.file().path, $0, "200") }
        try await withThrowingTaskGroup { group in
            for task in 0..<8 as Range<Int64> {
                group.addTask {
                    for number in 0..<25 {
                        try history.record(EventFingerprint(rawValue: 1), at: task * 100 + Int64(number))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await Probe.wholeOutputs(probes) == ["recorded", "recorded"])
        #expect(try history.occurrences(of: EventFingerprint(rawValue: 1), in: Self.always).count == 600)
        let count = try Connection(path: folder.file().path, busyTimeout: 1000)
            .integer("SELECT count FROM occurrence_count")
        #expect(count == 600)
    }
}

/// A generator whose numbers follow from its state, so that a failure can be seen again.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
