import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A random history, applied to the ledger and to a `MemoryLedger`.
extension LedgerUse {
    func compareWithMemory() async throws {
        let memory = MemoryLedger()
        _ = try await memory.begin()
        var random = Steps(seed: 0x5EED)
        var lastNumber: UInt32 = 0
        var offered: [LedgerEntry] = []
        for step in 0..<300 {
            switch random.next(below: 8) {
            case 0:
                let visitor = "v\(random.next(below: 6))"
                try await ledger.forget(visitor)
                try await memory.forget(visitor)
            case 1:
                let ids = (0..<random.next(below: 40)).map { _ in
                    EventID(owner: owner, number: UInt32(1 + random.next(below: Int(lastNumber) + 1)))
                }
                try await ledger.remove(ids)
                try await memory.remove(ids)
            case 2 where !offered.isEmpty:
                // Simulates a lost answer.
                try ConvertTesting.expect(
                    try await ledger.commit(offered), equals: try await memory.commit(offered), "step \(step), again")
            default:
                offered = (0...random.next(below: 12)).map { _ in random.entry(of: self, &lastNumber) }
                try ConvertTesting.expect(
                    try await ledger.commit(offered), equals: try await memory.commit(offered), "step \(step)")
            }
            let visitor = "v\(random.next(below: 6))"
            try ConvertTesting.expect(
                try await ledger.visitor(visitor), equals: try await memory.visitor(visitor), "step \(step), \(visitor)"
            )
            let limit = 1 + random.next(below: 50)
            try ConvertTesting.expect(
                try await ledger.undelivered(after: nil, limit: limit),
                equals: try await memory.undelivered(after: nil, limit: limit), "step \(step), events")
        }
    }
}

/// Pseudo-random numbers that are the same in each run (SplitMix64).
private struct Steps {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(max(1, bound)))
    }

    mutating func entry(of use: LedgerUse, _ lastNumber: inout UInt32) -> LedgerEntry {
        var decisions = JSObject()
        var replaced = JSObject()
        var goals: [String] = []
        var facts: [LedgerEvent.Fact?] = []
        for experience in 0..<next(below: 3) {
            decisions["\(experience)"] = .string("\(next(below: 3))")
            if next(below: 3) == 0 { replaced["\(experience)"] = .string("\(next(below: 3))") }
            facts.append(.decision(experience: "\(experience)"))
        }
        if next(below: 2) == 0 {
            goals.append("g\(next(below: 3))")
            facts.append(.goal(goals[0]))
        }
        if next(below: 4) == 0 { facts.append(nil) }
        let segments: [JSObject?] = [nil, nil, ["s": "a"], ["s": ["b"]], ["s": ["c": 1]], ["t": 2]]
        let events = facts.map { fact in
            lastNumber += 1
            return LedgerEvent(
                id: EventID(owner: use.owner, number: lastNumber), record: Data("\(lastNumber)".utf8), reporting: fact)
        }
        return use.entry(
            "v\(next(below: 6))", decisions: decisions, replacing: replaced, goals: goals,
            segments: segments[next(below: segments.count)], events: events)
    }
}
