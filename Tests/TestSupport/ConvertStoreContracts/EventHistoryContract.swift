package import ConvertMobileRules
import ConvertTestSupport

/// What every event history promises, a clause each.
package enum EventHistoryContract: String, CaseIterable, Sendable {
    case answersAsTheHistoryInMemory, survivesARestart, whatIsNewIsNewOnce, timesMayBeExtreme

    /// Checks the clause on a history that has never been used.
    /// - Parameter open: opens a history, each time on the same place.
    /// - Throws: `ContractFailure`, or what the history throws.
    package func check(open: () throws -> any EventHistory) async throws {
        let history = try open()
        let event = EventFingerprint(rawValue: .max)
        switch self {
        case .answersAsTheHistoryInMemory: try compare(history)
        case .survivesARestart:
            for time in [5, 3, 3, 9] as [Int64] { try history.record(event, at: time) }
            try expect(
                open().occurrences(of: event, in: .min ... .max), equals: EventOccurrences(count: 3, times: 3...9))
        case .whatIsNewIsNewOnce:
            let others = try (0..<3).map { _ in try open() }
            let answers = try await withThrowingTaskGroup { group in
                for index in 0..<24 {
                    let history = others[index % others.count]
                    group.addTask { try await aside { try history.recordIfNew(event, at: Int64(1000 + index)) } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // A later one may come first, and does not count for an earlier time.
            let found = try history.occurrences(of: event, in: .min ... .max)
            try expect(answers.count { $0 }, equals: found.count)
            try expect(found.times?.lowerBound ?? 0 >= 1000, equals: true)
            try expect(history.recordIfNew(event, at: 5000), equals: false)
        case .timesMayBeExtreme:
            for time in [Int64.min, 0, .max] { try history.record(event, at: time) }
            try expect(history.occurrences(of: event, in: 0...0).count, equals: 1)
            try expect(history.occurrences(of: event, in: Int64.max...Int64.max).count, equals: 1)
            try expect(history.occurrences(of: event, in: .min ... .max).count, equals: 3)
        }
    }

    private func compare(_ history: any EventHistory) throws {
        let inMemory = InMemoryEventHistory()
        var random = SeededGenerator(seed: 7)
        for step in 0..<400 {
            let fingerprint = EventFingerprint(rawValue: UInt32(random.int(0...4)))
            let time = Int64(random.int(-60...60))
            let window = time...time + Int64(random.int(0...100))
            switch step % 8 {
            case 0...3:
                try history.record(fingerprint, at: time)
                inMemory.record(fingerprint, at: time)
            case 4, 5:
                // What was before 1970 is not looked for.
                let time = abs(time)
                try expect(
                    history.recordIfNew(fingerprint, at: time), equals: inMemory.recordIfNew(fingerprint, at: time),
                    "step \(step)")
            case 6:
                try expect(
                    history.remove(fingerprint, in: time...time + 3),
                    equals: inMemory.remove(fingerprint, in: time...time + 3), "step \(step)")
            default: break
            }
            try expect(
                history.occurrences(of: fingerprint, in: window),
                equals: inMemory.occurrences(of: fingerprint, in: window), "step \(step), \(fingerprint), \(window)")
        }
    }
}
