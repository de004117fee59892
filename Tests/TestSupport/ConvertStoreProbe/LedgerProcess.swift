import ConvertLedgers
import ConvertECMAScript
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation

/// A process that uses an SQLite ledger.
///
///     ConvertStoreProbe ledger-own FILE          opens it, prints "owned" or the error's code, and keeps it until
///                                                standard input ends
///     ConvertStoreProbe ledger-churn FILE SEED   stores entries and removes events until it is killed; prints
///                                                "+OWNER NUMBER" once an entry is stored, "-OWNER NUMBER" before
///                                                its events are removed and "=OWNER NUMBER" afterwards
///     ConvertStoreProbe ledger-fill FILE BYTES   stores entries until no file may grow beyond BYTES, prints how many
///                                                were stored, removes the events, and prints how many entries it can
///                                                store then
struct LedgerProcess {
    let file: URL

    func own() async throws {
        do {
            let ledger = try SQLiteLedger(file: file)
            say("owned")
            _ = try await aside { FileHandle.standardInput.readDataToEndOfFile() }
            await ledger.close()
        } catch let error as StorageError {
            say(error.code.description)
        }
    }

    func churn(seed: Int) async throws {
        let ledger = try SQLiteLedger(file: file)
        let owner = try await ledger.begin()
        var random = SeededGenerator(seed: seed)
        var stored: [UInt32] = []
        var next: UInt32 = 1
        while true {
            let numbers = next..<next + UInt32(random.int(1...20))
            next = numbers.upperBound
            _ = try await ledger.commit(numbers.map { Self.entry(owner, $0) })
            for number in numbers { say("+\(owner) \(number)") }
            stored += numbers
            guard random.happens(20) else { continue }
            let gone = stored.filter { _ in random.happens(50) }
            stored.removeAll { gone.contains($0) }
            for number in gone { say("-\(owner) \(number)") }
            try await ledger.remove(gone.flatMap { Self.entry(owner, $0).events.map(\.id) })
            for number in gone { say("=\(owner) \(number)") }
        }
    }

    func fill(limit: UInt) async throws {
        let ledger = try SQLiteLedger(file: file)
        let owner = try await ledger.begin()
        guard ServingProcess.Want.limitFiles(to: limit) else { return say("no limit") }
        func store(from first: UInt32) async -> UInt32 {
            var number = first
            while number < first + 2000, (try? await ledger.commit([Self.entry(owner, number)])) != nil { number += 1 }
            return number - first
        }
        let first = await store(from: 1)
        let found = try await ledger.undelivered(after: nil, limit: 10_000)
        say("\(first) \(found.count)")
        // Each attempt may need the room that the one before has made.
        var attempts = 0
        while attempts < 10, (try? await ledger.remove(found.map(\.id))) == nil { attempts += 1 }
        let second = await store(from: 100_000)
        say("\(second)")
        await ledger.close()
    }

    /// The entry that owner `owner` stores as number `number`: a decision, a goal and two events. Every third one is of
    /// one of five visitors.
    static func entry(_ owner: UInt32, _ number: UInt32) -> LedgerEntry {
        var changes = VisitorState()
        changes.apply(.bucketing(experienceID: PropertyKey("e-\(owner)-\(number)"), variationID: .integer(Int(number))))
        changes.apply(.goal(PropertyKey("g-\(owner)-\(number)")))
        let record = Data(repeating: UInt8(truncatingIfNeeded: number), count: Int(number) * 7919 % 3000)
        return LedgerEntry(
            visitor: number % 3 == 0 ? "shared-\(number % 5)" : "own-\(owner)-\(number)",
            changes: VisitorChanges(changes),
            events: [
                LedgerEvent(id: EventID(owner: owner, number: 2 * number - 1), record: record),
                LedgerEvent(
                    id: EventID(owner: owner, number: 2 * number), record: record,
                    reporting: .goal("g-\(owner)-\(number)")),
            ])
    }
}
