import ConvertTestSupport
import ConvertTestServer
import Foundation
import Testing

/// What an SDK with a ledger promises about processes that are killed.
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
    func aConversionThatWasStoredArrivesThoughTheProcessIsKilled(index: Int) async throws {
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
        // A kill may come between storing a conversion and printing it.
        #expect(Set(arrived).count <= accepted.count + 3)
        var seen: Set<String> = []
        #expect(arrived.filter { accepted.contains($0) && seen.insert($0).inserted } == accepted, "in order")
        #expect(try await Probe("deliver", folder.url.path, url).wholeOutput() == "rejected 0")
        #expect(endpoint.visitorIDs.count == arrived.count, "the ledger has no events any more")
    }
}
