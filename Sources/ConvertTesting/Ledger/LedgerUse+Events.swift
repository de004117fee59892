import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Checks of keys, events and removal.
extension LedgerUse {
    func checkKeys() async throws {
        let keys = [
            "", "a", "A", "a ", "a\u{0}", "a\u{0}b", "é", "e\u{301}", "\u{FEFF}a", "'\"\\%_", "\u{1F600}",
            String(repeating: "k", count: 10_000), String(repeating: "k", count: 10_001),
        ]
        for (index, key) in keys.enumerated() {
            _ = try await ledger.commit([entry(key, decisions: ["1": .integer(index)])])
        }
        for (index, key) in keys.enumerated() { try await expect(key, #"{"bucketing":{"1":\#(index)}}"#) }
    }

    func checkOrder() async throws {
        let events = [
            LedgerEvent(id: EventID(owner: owner, number: 1), record: Data()),
            LedgerEvent(id: EventID(owner: owner, number: 2), record: Data([0, 255, 0])),
            LedgerEvent(id: EventID(owner: owner, number: 3), record: Data(repeating: 7, count: 1 << 20)),
            LedgerEvent(id: EventID(owner: owner, number: 1 << 31), record: Data("a".utf8)),
            LedgerEvent(id: EventID(owner: owner, number: .max), record: Data("b".utf8)),
        ]
        try await expectEvents([])
        _ = try await ledger.commit([entry("v", events: [events[0], events[1]]), entry("w", events: [events[2]])])
        _ = try await ledger.commit([entry("", events: [events[3], events[4]])])
        let stored = events.map { StoredEvent(id: $0.id, record: $0.record) }
        for limit in 1...6 {
            var found: [StoredEvent] = []
            while true {
                let page = try await ledger.undelivered(after: found.last?.id, limit: limit)
                found += page
                try ConvertTesting.expect(page.count <= limit, equals: true, "at most \(limit) events")
                if page.count < limit { break }
            }
            try ConvertTesting.expect(found, equals: stored, "all events in pages of \(limit)")
        }
    }

    func checkRemoval() async throws {
        let events = events(1...700)
        _ = try await ledger.commit(
            stride(from: 0, to: 700, by: 7).map { entry("v", events: Array(events[$0..<$0 + 7])) })
        try await ledger.remove([])
        try await ledger.remove([events[0].id, events[5].id, EventID(owner: owner, number: 9999)])
        try await ledger.remove([events[5].id, EventID(owner: owner + 1, number: 1)])
        try await expectEvents(Array(events[1..<5] + events[6...]))
        try await ledger.remove(events[10...].map(\.id))
        try await expectEvents(Array(events[1..<5] + events[6..<10]))
    }

    func checkForgetting() async throws {
        let events = events(1...4)
        _ = try await ledger.commit([
            entry("v", goals: ["g"], events: [events[0]]), entry("w", goals: ["g"], events: [events[1]]),
            entry("v", events: [events[2]]),
        ])
        try await ledger.forget("v")
        try await ledger.forget("unknown")
        try await expect("v", nil)
        try await expect("w", #"{"goals":{"g":true}}"#)
        try await expectEvents([events[1]])
        let again = LedgerEvent(id: events[3].id, record: events[3].record, reporting: .goal("g"))
        try await commit(
            entry("v", goals: ["g"], events: [again]), expecting: outcome(#"{"goals":{"g":true}}"#),
            "a goal of a forgotten visitor")
    }

    func checkClosing() async throws {
        await ledger.close()
        await ledger.close()
        let calls: [(String, () async throws -> Void)] = [
            ("begin", { _ = try await ledger.begin() }), ("visitor", { _ = try await ledger.visitor("v") }),
            ("commit", { _ = try await ledger.commit([entry("v")]) }),
            ("undelivered", { _ = try await ledger.undelivered(after: nil, limit: 1) }),
            ("remove", { try await ledger.remove([EventID(owner: owner, number: 1)]) }),
            ("forget", { try await ledger.forget("v") }),
        ]
        for (name, call) in calls {
            do { try await call() } catch LedgerError.isClosed { continue }
            throw LedgerContractFailure(description: "\(name) after close(): expected an error, found none")
        }
    }

    func checkReadersBesideCommits() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for turn in 0..<50 as Range<UInt32> {
                    let entries = (0..<20 as Range<UInt32>).map { index in
                        let id = EventID(owner: owner, number: 1 + turn * 20 + index)
                        return entry(
                            "v\(index)", goals: ["\(turn)"],
                            events: [LedgerEvent(id: id, record: Data(), reporting: .goal("\(turn)"))])
                    }
                    _ = try await ledger.commit(entries)
                }
            }
            for reader in 0..<4 {
                group.addTask {
                    var last = 0
                    for _ in 0..<50 {
                        let count = try await ledger.visitor("v\(reader)")?.goals?.count ?? 0
                        try ConvertTesting.expect(count >= last, equals: true, "the goals of one visitor only grow")
                        last = count
                        _ = try await ledger.undelivered(after: nil, limit: 100)
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = try await ledger.undelivered(after: nil, limit: 10_000).count
        try ConvertTesting.expect(count, equals: 1000, "the number of events")
    }
}
