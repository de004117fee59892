import ConvertConcurrency
import ConvertSwiftSDKCore
import Foundation

@testable import ConvertSwiftSDK

/// The disk of processes that follow each other. Each has it as long as it lives.
final class SimulatedDisk: Sendable {
    struct State {
        var owner = 0
        var nextID: Int64 = 1
        var entries: [JournaledEvent] = []
        var records: [String: VisitorState] = [:]
        var appendFails = false
        var removeFails = false
        var saveFails = false
        var status = 200
        var isHeld = false
        var gate = Latch()
        var savesHeld = false
        var saveGate = Latch()
        /// Transactions that the journal took, and with whose claims.
        var acked: Set<String> = []
        var delivered: [String: Int] = [:]
        var deliveredNow: Set<String> = []
        var failures: [String] = []
    }

    let state = Mutex(State())

    func use<Result: Sendable>(by process: Int, _ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            if state.owner != process { throw Failure() }
            return try body(&state)
        }
    }

    func pass() async {
        let gate = state.withLock { $0.isHeld ? $0.gate : nil }
        _ = await gate?.wait()
    }

    func passSave() async {
        let gate = state.withLock { $0.savesHeld ? $0.saveGate : nil }
        _ = await gate?.wait()
    }
}

/// What one process sees of the disk: its visitor store and journal.
struct SimulatedProcess: VisitorStore, EventJournal {
    let disk: SimulatedDisk
    let number: Int

    func load(_ key: String) async throws -> VisitorState? {
        let record = try disk.use(by: number) { $0.records[key] }
        await disk.pass()
        return try disk.use(by: number) { _ in record }
    }

    func save(_ changes: VisitorState, for key: String) async throws {
        await disk.passSave()
        try disk.use(by: number) { state in
            if state.saveFails { throw Failure() }
            state.records[key] = (state.records[key] ?? VisitorState()).merging(changes)
        }
        await disk.passSave()
    }

    func append(_ records: [Data]) throws -> [Int64] {
        try disk.use(by: number) { state in
            if state.appendFails { throw Failure() }
            return records.map { record in
                defer { state.nextID += 1 }
                state.entries.append(JournaledEvent(id: state.nextID, record: record))
                if let tag = Transactions.tag(of: record) { state.acked.insert(tag) }
                return state.nextID
            }
        }
    }

    func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        await disk.pass()
        let page = try disk.use(by: number) { Array($0.entries.filter { $0.id > id }.prefix(limit)) }
        await disk.pass()
        return page
    }

    func remove(_ ids: [Int64]) async throws {
        await disk.passSave()
        try disk.use(by: number) { state in
            if state.removeFails { throw Failure() }
            let ids = Set(ids)
            for entry in state.entries where ids.contains(entry.id) {
                switch JournalRow(entry) {
                case .event:
                    if let tag = Transactions.tag(of: entry.record), state.delivered[tag] == nil {
                        state.failures.append("\(tag) is removed and was not delivered")
                    }
                case .claim(let claim, let key):
                    let record = state.records[key] ?? VisitorState()
                    for goal in claim.goals where !record.hasTriggered(goal) {
                        state.failures.append("the claim of \(goal.name) of \(key) is removed and not saved")
                    }
                    for decision in claim.decisions where record.bucketing?[decision.experience] == nil {
                        state.failures.append("the claim of \(decision.experience.name) of \(key) is removed")
                    }
                case .unreadable: state.failures.append("unreadable")
                }
            }
            state.entries.removeAll { ids.contains($0.id) }
        }
    }
}

/// The transactions in rows and requests, by the tags that the simulation gives them.
enum Transactions {
    static func tag(of record: Data) -> String? {
        let text = String(decoding: record, as: UTF8.self)
        guard let start = text.range(of: "\"tx-") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }

    static func tags(of body: Data) -> [String] {
        String(decoding: body, as: UTF8.self).components(separatedBy: "\"tx-").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
    }
}
