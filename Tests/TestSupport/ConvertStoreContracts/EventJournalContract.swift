package import ConvertSwiftSDK
import Foundation

/// What every event journal promises, a clause each.
package enum EventJournalContract: String, CaseIterable, Sendable {
    case returnsEventsInOrder, forgetsWhatIsRemoved, anIDIsNeverGivenTwice, appendsFromManyThreadsAreAllKept

    /// Checks the clause on a journal that has never been used.
    /// - Parameter open: opens a journal, each time on the same place, after the one before was released.
    /// - Throws: `ContractFailure`, or what the journal throws.
    package func check(open: () throws -> any EventJournal) async throws {
        switch self {
        case .returnsEventsInOrder: try await checkOrder(open())
        case .forgetsWhatIsRemoved:
            let journal = try open()
            let ids = try journal.append((0..<10).map { Data([$0]) })
            try await journal.remove([ids[0], ids[5], ids[9], 999, -1])
            try await journal.remove([])
            try await journal.remove([ids[0]])
            try await expect(
                journal.events(after: 0, limit: 100).map(\.record), equals: [1, 2, 3, 4, 6, 7, 8].map { Data([$0]) })
        case .anIDIsNeverGivenTwice:
            var given: Set<Int64> = []
            var last: Int64 = 0
            for _ in 0..<5 {
                let journal = try open()
                let ids = try journal.append([Data("a".utf8), Data("b".utf8)])
                try expect(ids[0] > last && given.isDisjoint(with: ids), equals: true, "\(ids) after \(last)")
                last = ids[1]
                given.formUnion(ids)
                try await journal.remove(ids)
            }
        case .appendsFromManyThreadsAreAllKept:
            let journal = try open()
            let ids = try await withThrowingTaskGroup { group in
                for index in 0..<50 { group.addTask { try journal.append([Data("\(index)".utf8), Data()]) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let found = try await journal.events(after: 0, limit: 1000)
            try expect(found.map(\.id), equals: ids.flatMap { $0 }.sorted())
            for pair in ids { try expect(pair[1], equals: pair[0] + 1, "records of one call stay together") }
        }
    }

    private func checkOrder(_ journal: any EventJournal) async throws {
        try await expect(journal.events(after: 0, limit: 10).isEmpty, equals: true)
        let records = [Data("a".utf8), Data(), Data([0, 255, 0]), Data(repeating: 7, count: 1 << 20)]
        let ids = try journal.append(records)
        try expect(ids == ids.sorted() && Set(ids).count == 4 && ids[0] > 0, equals: true, "\(ids)")
        try expect(journal.append([]).isEmpty, equals: true)
        let events = zip(ids, records).map { JournaledEvent(id: $0, record: $1) }
        try await expect(journal.events(after: 0, limit: 10), equals: events)
        try await expect(journal.events(after: 0, limit: 3), equals: Array(events.prefix(3)))
        try await expect(journal.events(after: ids[1], limit: 10), equals: Array(events.suffix(2)))
        try await expect(journal.events(after: ids[3], limit: 10).isEmpty, equals: true)
    }
}
