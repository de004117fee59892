import ConvertLedgers
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation

/// Which answers of a ledger are lost on their way, though the ledger did what it was asked for.
final class LossOfAnswers: @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.
    private let percentage: Int
    private var generator: SeededGenerator
    /// Whether answers are lost now.
    var isOn = true

    init(percentage: Int, seed: Int) {
        self.percentage = percentage
        generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 17 &+ 6)
    }

    struct AnswerLost: Error {}

    func lose() throws {
        if isOn, percentage > 0, generator.happens(percentage) { throw AnswerLost() }
    }
}

/// A ledger of the product's, and what the history notes of its answers.
struct ObservedLedger: Ledger {
    private let ledger: any Ledger
    private let owner: Int
    private let history: History
    private let loss: LossOfAnswers

    init(_ ledger: any Ledger, owner: Int, history: History, loss: LossOfAnswers) {
        (self.ledger, self.owner, self.history, self.loss) = (ledger, owner, history, loss)
    }

    var isShared: Bool { ledger.isShared }
    var takeoverInterval: Duration? { ledger.takeoverInterval }

    func begin() async throws -> UInt32 {
        let number = try await ledger.begin()
        try loss.lose()
        return number
    }

    func visitor(_ key: String) async throws -> VisitorState? {
        let load = history.beginLoad(of: key, by: owner)
        do {
            let state = try await ledger.visitor(key)
            history.endLoad(load, of: key, by: owner, isKnown: true)
            return state
        } catch {
            history.endLoad(load, of: key, by: owner, isKnown: false)
            throw error
        }
    }

    func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
        World.current.expect(owner)
        history.willCommit(entries, by: owner)
        World.current.say("commits \(entries.map { ($0.visitor, $0.changes.changes.json, $0.events.map(\.id)) })")
        defer { history.endCommit(by: owner) }
        let outcomes = try await ledger.commit(entries)
        World.current.say("has committed \(outcomes.map { ($0.record.json, $0.unreported) })")
        try loss.lose()
        history.didCommit(entries, outcomes)
        return outcomes
    }

    func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        let events = try await ledger.undelivered(after: id, limit: limit)
        history.didRead(events)
        return events
    }

    func takeOver(_ limit: Int) async throws -> [StoredEvent] {
        let events = try await ledger.takeOver(limit)
        history.didRead(events)
        return events
    }

    func owned(_ ids: [EventID]) async throws -> [EventID] {
        let owned = try await ledger.owned(ids)
        history.willSend(owned, by: owner)
        return owned
    }

    func remove(_ ids: [EventID]) async throws {
        try await ledger.remove(ids)
        try loss.lose()
        history.didRemove(ids)
    }

    func forget(_ key: String) async throws { try await ledger.forget(key) }

    func close() async { await ledger.close() }
}
