import ConvertConcurrency
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

/// Visitors that come again and again to processes that are killed. What was stored, as `persisted()` said, is neither
/// lost nor counted twice, and no visitor changes variations, though each process gives new visitors other shares. Some
/// visitors decide and convert before their record is loaded. Now and then another process keeps the ledger's file
/// locked.
///
/// Five hundred kills with CONVERT_CASES=50; `CONVERT_SEED` sets the seed.
@Suite(.timeLimit(.minutes(60)))
struct KilledVisitorsTests {
    /// What arrived.
    private final class Arrivals: Sendable {
        private struct Body: Decodable {
            struct Visitor: Decodable {
                let visitorId: String
                let events: [Event]
            }

            struct Event: Decodable {
                struct Content: Decodable {
                    struct Value: Decodable {
                        let key: String
                        let value: String
                    }

                    let variationId: String?
                    let goalData: [Value]?
                }

                let data: Content
            }

            let visitors: [Visitor]
        }

        private let state = Mutex((lines: Set<String>(), requests: 0, isWell: false))

        var lines: Set<String> { state.withLock { $0.lines } }

        func heal() { state.withLock { $0.isWell = true } }

        /// Takes every other request.
        func answer(_ request: RecordedRequest) -> ServerResponse {
            let isTaken = state.withLock { state in
                state.requests += 1
                return state.isWell || state.requests % 2 == 0
            }
            guard isTaken else { return .status(503) }
            guard let body = try? JSONDecoder().decode(Body.self, from: request.body) else { return .status(200) }
            var lines: [String] = []
            for visitor in body.visitors {
                for event in visitor.events {
                    if let variation = event.data.variationId {
                        lines.append("decided \(visitor.visitorId)/\(variation.prefix(2)) \(variation)")
                    }
                    for value in event.data.goalData ?? [] where value.key == "transactionId" {
                        lines.append("converted \(visitor.visitorId) \(value.value)")
                    }
                }
            }
            state.withLock { $0.lines.formUnion(lines) }
            return .status(200)
        }
    }

    @Test func killsCostNeitherEventsNorVariationsNorCountAGoalTwice() async throws {
        let folder = try TemporaryFolder()
        let arrivals = Arrivals()
        let server = try TestServer { arrivals.answer($0) }
        defer { server.stop() }
        let url = server.url().absoluteString
        let kills = caseCount(10, plain: 5)
        let seed = ProcessInfo.processInfo.environment["CONVERT_SEED"].flatMap { Int($0) } ?? kills
        var generator = SeededGenerator(seed: seed)
        var accepted: Set<String> = []
        for round in 0..<kills {
            let share = ["50", "90", "10", "0", "100"][round % 5]
            let lock =
                round % 4 == 3 ? try Probe("hold", folder.file("convert.sqlite").path, "1") : nil
            let probe = try Probe(
                "live", folder.url.path, url, share, String(10 * round), String(generator.int(0...1_000_000)))
            var lines = await probe.lines(generator.int(1...60))
            // Anywhere between two lines.
            try await Task.sleep(for: .microseconds(generator.int(0...3000)))
            lines += probe.kill()
            accepted.formUnion(lines.map(String.init))
            _ = await lock?.wholeOutput()
        }
        arrivals.heal()
        #expect(try await Probe("settle", folder.url.path, url).wholeOutput() == "0 rejected, 0 not stored")
        let arrived = arrivals.lines
        #expect(accepted.count > kills)
        let lost = accepted.subtracting(arrived)
        #expect(lost.isEmpty, "\(lost.count) of \(accepted.count) never arrived, seed \(seed)")
        var seen: [Substring: Set<Substring>] = [:]
        for line in accepted.union(arrived) {
            let words = line.split(separator: " ")
            seen[words[0] + " " + words[1], default: []].insert(words[2])
        }
        let doubled = seen.filter { $0.value.count > 1 }
        #expect(doubled.isEmpty, "two variations, or a goal counted twice: \(doubled), seed \(seed)")
        #expect(try await Probe("settle", folder.url.path, url).wholeOutput() == "0 rejected, 0 not stored")
        #expect(arrivals.lines == arrived, "nothing is left")
    }
}
