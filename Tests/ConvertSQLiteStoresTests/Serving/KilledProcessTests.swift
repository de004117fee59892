import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTestSupport
import ConvertTestServer
import Foundation
import Testing

/// What an SDK with a journal promises about processes that end without a word.
@Suite(.timeLimit(.minutes(10)))
struct KilledProcessTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// How the tracking endpoint does while the processes are killed.
    static let endpoints: [(name: String, answer: @Sendable (Int) -> ServerResponse)] = [
        ("takes all", { _ in .status(200) }),
        ("takes nothing", { _ in .status(500) }),
        ("takes every third request", { $0 % 3 == 0 ? .status(200) : .status(503) }),
        ("takes requests and does not say so", { $0 % 2 == 0 ? .stall : .status(200) }),
    ]

    @Test(arguments: endpoints.indices)
    func whatTrackingAcceptedArrivesThoughTheProcessIsKilled(index: Int) async throws {
        let endpoint = TrackingRecorder()
        let server = try TestServer { endpoint.answer($0, as: Self.endpoints[index].answer) }
        defer { server.stop() }
        let url = server.url().absoluteString
        var accepted: [String] = []
        for round in 0..<3 {
            let probe = try Probe("track", folder.url.path, url)
            accepted += (await probe.lines(40 + 150 * round) + probe.kill()).map(String.init)
        }
        #expect(accepted.count >= 40 + 190 + 340)
        endpoint.heal()
        #expect(try await Probe("deliver", folder.url.path, url).wholeOutput() == "rejected 0")
        let arrived = endpoint.visitorIDs
        #expect(Set(accepted).isSubset(of: arrived), "\(Self.endpoints[index].name)")
        // A kill may come between accepting a conversion and saying so.
        #expect(Set(arrived).count <= accepted.count + 3)
        var seen: Set<String> = []
        #expect(arrived.filter { accepted.contains($0) && seen.insert($0).inserted } == accepted, "in order")
        #expect(try await Probe("deliver", folder.url.path, url).wholeOutput() == "rejected 0")
        #expect(endpoint.visitorIDs.count == arrived.count, "the journal is empty")
    }

    /// Amid appending, removing, and moving from the files in which rows arrive into the database.
    /// `CONVERT_KILLS=500 swift test --filter KilledProcessTests` is the long run.
    @Test func aKilledJournalHasWhatWasAcceptedAndNothingThatWasRemoved() async throws {
        let kills = ProcessInfo.processInfo.environment["CONVERT_KILLS"].flatMap { Int($0) } ?? 6
        var lengths: [Int64: Int] = [:]
        for round in 0..<kills {
            var random = SeededGenerator(seed: round)
            let probe = try Probe("churn", folder.file().path, String(round))
            var lines = await probe.lines(random.int(1...3000))
            try await Task.sleep(for: .microseconds(random.int(0...3000)))
            lines += probe.kill()
            var (announced, removed): (Set<Int64>, Set<Int64>) = ([], [])
            for line in lines {
                let words = line.dropFirst().split(separator: " ")
                let id = try #require(Int64(words[0]))
                switch line.first {
                case "+": lengths[id] = Int(words[1])
                case "-": announced.insert(id)
                default: removed.insert(id)
                }
            }
            let last = lengths.keys.max() ?? 0
            let journal = try SQLiteEventJournal(file: folder.file())
            let found = try await journal.events(after: 0, limit: 1_000_000)
            let ids = found.map(\.id)
            #expect(ids == Set(ids).sorted() && removed.isDisjoint(with: ids), "round \(round)")
            #expect(Set(lengths.keys).subtracting(announced).subtracting(ids).isEmpty, "round \(round)")
            #expect(ids.filter { lengths[$0] == nil }.allSatisfy { $0 > last }, "round \(round)")
            for event in found {
                #expect(event.record.allSatisfy { $0 == event.record[0] })
                #expect(event.record.count == lengths[event.id] ?? event.record.count)
            }
            let kept = random.happens(30) ? found.filter { _ in random.happens(50) } : []
            try await journal.remove(Set(ids).subtracting(kept.map(\.id)).sorted())
            lengths = Dictionary(uniqueKeysWithValues: kept.map { ($0.id, $0.record.count) })
        }
    }
}
