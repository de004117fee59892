import ConvertLedgers
import ConvertECMAScript
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// Processes that are killed while they use a ledger.
@Suite(.timeLimit(.minutes(60)))
struct KilledLedgerTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// An entry of `LedgerProcess`, by the number of its owner and its own.
    private struct Name: Hashable {
        let owner: UInt32
        let number: UInt32

        init?(_ words: [Substring]) {
            guard words.count == 2, let owner = UInt32(words[0]), let number = UInt32(words[1]) else { return nil }
            self.owner = owner
            self.number = number
        }

        init(_ id: EventID) { (owner, number) = (id.owner, (id.number + 1) / 2) }

        init(owner: UInt32, number: UInt32) { (self.owner, self.number) = (owner, number) }

        var ids: [EventID] { [2 * number - 1, 2 * number].map { EventID(owner: owner, number: $0) } }
        var visitor: String { number % 3 == 0 ? "shared-\(number % 5)" : "own-\(owner)-\(number)" }
        var record: Data { Data(repeating: UInt8(truncatingIfNeeded: number), count: Int(number) * 7919 % 3000) }

        /// Whether the visitor's record has the decision and the goal; `nil` if it has one of them only.
        func isStored(in state: VisitorState?) -> Bool? {
            let hasGoal = state?.goals?[PropertyKey("g-\(owner)-\(number)")] == true
            let decision = state?.bucketing?[PropertyKey("e-\(owner)-\(number)")]
            if hasGoal && decision == .integer(Int(number)) { return true }
            return hasGoal || decision != nil ? nil : false
        }
    }

    /// Forty kills with CONVERT_CASES=4, a thousand with 100.
    @Test func acknowledgedChangesAreCompleteAndCountOnceAfterAKill() async throws {
        let kills = caseCount(10, plain: 4)
        /// Entries whose events are to be there, from earlier rounds.
        var waiting: Set<Name> = []
        var acknowledgedCount = 0
        for round in 0..<kills {
            var random = SeededGenerator(seed: round)
            let probe = try Probe("ledger-churn", folder.file().path, String(round))
            var lines = await probe.lines(random.pick([1, 50, 300, 2000]) + random.int(0...200))
            try await Task.sleep(for: .microseconds(random.int(0...5000)))
            lines += probe.kill()
            var (stored, announced, removed): (Set<Name>, Set<Name>, Set<Name>) = ([], [], [])
            for line in lines {
                let name = try #require(Name(line.dropFirst().split(separator: " ")))
                switch line.first {
                case "+": stored.insert(name)
                case "-": announced.insert(name)
                default: removed.insert(name)
                }
            }
            acknowledgedCount += stored.count
            let reports = Reports()
            let ledger = try SQLiteLedger(file: folder.file(), report: reports.collect)
            #expect(reports.all.isEmpty)
            let events = try await ledger.undelivered(after: nil, limit: 1_000_000)
            let found = Dictionary(grouping: events) { Name($0.id) }
            #expect(events.map(\.id) == Set(events.map(\.id)).sorted(), "each event is there once, in order")
            for (name, events) in found {
                // Ids of an entry that is removed are given in one call.
                #expect(events.map(\.id) == name.ids, "round \(round): half of \(name)")
                #expect(events.allSatisfy { $0.record == name.record }, "round \(round): \(name)")
            }
            let expected = stored.subtracting(announced).union(waiting)
            #expect(expected.isSubset(of: found.keys), "round \(round): lost events")
            #expect(removed.isDisjoint(with: found.keys), "round \(round): removed events")
            let owner = stored.first?.owner
            let last = stored.map(\.number).max() ?? 0
            let next = owner.map { owner in (last + 1...last + 25).map { Name(owner: owner, number: $0) } } ?? []
            var states: [String: VisitorState] = [:]
            for name in stored.union(next).union(found.keys) where states[name.visitor] == nil {
                states[name.visitor] = try await ledger.visitor(name.visitor)
            }
            for name in stored.union(found.keys) {
                #expect(name.isStored(in: states[name.visitor]) == true, "round \(round): the record of \(name)")
            }
            for name in next {
                #expect(
                    name.isStored(in: states[name.visitor]) == (found[name] != nil),
                    "round \(round): \(name) is stored whole or not at all")
            }
            let kept = random.happens(40) ? Set(found.keys.filter { _ in random.happens(50) }) : []
            try await ledger.remove(found.keys.filter { !kept.contains($0) }.flatMap(\.ids))
            waiting = kept
            await ledger.close()
        }
        #expect(acknowledgedCount > kills * 50)
        print("\(kills) kills, \(acknowledgedCount) entries acknowledged")
    }
}
