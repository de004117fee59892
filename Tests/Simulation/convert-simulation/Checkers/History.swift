import ConvertLedgers
import ConvertMonitoring
import ConvertSwiftSDK
import ConvertTransport
import Foundation

/// What the servers promised, and what reached the endpoint, over all servers and restarts.
///
/// It speaks of visitors, goals and events. What a call was answered is promised once the app has awaited that it is
/// persisted; until then it may be gone with the process, and then never happened.
final class History: @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.

    /// Something that a call was answered.
    enum Fact: Hashable {
        case goal(Report)
        case event(Report)
    }

    /// An event that a call was promised.
    private struct Promise {
        let owner: Int
        /// Whether it may be lost with its process.
        var isAtRisk: Bool
        /// The experience whose decision it reports, if another process may have stored one first.
        let doubtful: String?
    }

    /// Where an event has been.
    private struct Reception {
        /// How often a request with it arrived.
        var taken = 0
        /// How often its server knows that.
        var heard = 0
        /// How often it may be delivered beyond the first time.
        var repetitions = 0
        /// The processes that delivered it.
        var owners: Set<Int> = []
    }

    private struct Claim {
        var owner: Int
        var persistedAt: Int64?
    }

    var loads = Loads()
    var decisions: Decisions
    /// Whether visitors' records leave the memory, so that they have to be read again.
    private let forgetsVisitors: Bool
    /// Processes whose ledger has failed for so long that events went out without it.
    private var impatient: Set<Int> = []
    private var ended: Set<Int> = []
    /// Processes whose shutdown has returned.
    private var stopped: Set<Int> = []
    /// Processes that wait for the answer to a commit.
    private var committing: Set<Int> = []
    /// Processes that lost changes, and said so.
    private var lossy: Set<Int> = []
    private var promises: [Report: Promise] = [:]
    private var order: [Report] = []
    private var receptions: [Report: Reception] = [:]
    /// Goals that counted.
    private var claims: [Report: Claim] = [:]
    /// Events that ledgers have, by id.
    private var kept: [EventID: (report: Report, owner: Int)] = [:]
    /// By process, what it may report although another one does.
    private var repeated: [Int: Set<Report>] = [:]
    /// Events that a ledger was known to have at some time.
    private var committed: Set<Report> = []
    /// Events that a ledger was offered, and did not take because something else was stored before.
    private var dropped: Set<Report> = []
    /// Events that went out without their ledger, with the process that sent them.
    private var uncommitted: [Int: Set<Report>] = [:]
    /// By process, events that are confirmed as its own and not sent yet.
    private var confirmed: [Int: Set<Report>] = [:]
    /// Events that were given up with a reason that the app can see.
    private var rejectedCount = 0

    /// - Parameter forgetsVisitors: whether visitors' records leave the memory, so that they have to be read again.
    init(forgetsVisitors: Bool) {
        self.forgetsVisitors = forgetsVisitors
        decisions = Decisions(forgetsVisitors: forgetsVisitors)
    }

    // MARK: What calls were answered

    /// A call was answered that an event will report it.
    ///
    /// - Parameter doubtful: the experience whose decision it is, if another one may turn out to be stored.
    func promise(_ report: Report, by owner: Int, isAtRisk: Bool = true, doubtful: String? = nil) {
        // A thread of a process that was killed may get this far.
        if ended.contains(owner) { return }
        if promises[report] == nil { order.append(report) }
        if let known = promises[report], !known.isAtRisk { return }
        promises[report] = Promise(owner: owner, isAtRisk: isAtRisk, doubtful: doubtful)
    }

    /// A call was answered that it triggered the goal.
    ///
    /// *Each goal of a visitor counts once.* Example: two requests of a visitor track `purchase` at once; one is
    /// answered `triggered`, the other `alreadyTriggered`. What an app has awaited as persisted counts for later
    /// processes, too.
    ///
    /// - Parameter date: as of when the process knew what is stored; `nil` if it did not know.
    func claim(_ report: Report, by owner: Int, knowingAsOf date: Int64?) {
        if let claim = claims[report], !lossy.contains(owner) {
            if claim.owner == owner, date != nil || !forgetsVisitors {
                World.current.fail("a goal counts twice, \(report)")
            }
            if let persistedAt = claim.persistedAt, let date, persistedAt < date {
                World.current.fail("a goal counts again that was persisted, \(report)")
            }
        }
        // Its ledger could not be read, and what it reports goes out without it.
        if date == nil, impatient.contains(owner) { receptions[report, default: Reception()].repetitions += 1 }
        claims[report] = Claim(owner: owner, persistedAt: claims[report]?.persistedAt)
    }

    /// A call was answered that the goal was triggered before.
    ///
    /// *An entry is stored whole or not at all.* Example: a server was killed; the next one knows that the goal was
    /// triggered, so its event is there too, and reaches the endpoint.
    func didFind(_ report: Report, by owner: Int) {
        // What went out without a ledger may have ended with its process.
        if impatient.isEmpty, promises[report]?.owner != owner { promise(report, by: owner, isAtRisk: false) }
    }

    /// `persisted()` confirmed facts to an app.
    ///
    /// *What was awaited as persisted is there.* Example: `try await context.persisted()` returns, and the server is
    /// killed; the next one gives the visitor the same variation, and sends the event.
    func persist(_ facts: some Sequence<Fact>, by owner: Int) {
        let now = World.current.time
        for fact in facts {
            switch fact {
            case .event(let report):
                // What goes out without the ledger is only in memory.
                if promises[report] != nil, !impatient.contains(owner) { promises[report]?.isAtRisk = false }
            case .goal(let report):
                if claims[report]?.persistedAt == nil { claims[report]?.persistedAt = now }
            }
        }
    }

    /// `persisted()` returned to an app that was promised these events.
    ///
    /// *What is awaited is committed.* Example: two visitors wait at once; the one whose entry is in the second group
    /// waits until that group is committed.
    func didAwait(_ reports: some Sequence<Report>, by owner: Int) {
        if impatient.contains(owner) || lossy.contains(owner) { return }
        for report in reports where !committed.contains(report) && !dropped.contains(report) {
            World.current.fail("persisted() returned before an event was committed, \(report)")
        }
    }

    /// Everything that the process did is stored.
    func settle(_ owner: Int) {
        if impatient.contains(owner) { return }
        for report in order where promises[report]?.owner == owner { promises[report]?.isAtRisk = false }
    }

    /// The ledger of the process has failed for longer than it is waited for.
    func loseLedger(_ owner: Int) { impatient.insert(owner) }

    /// The process said that it lost changes.
    func loseChanges(_ owner: Int) { lossy.insert(owner) }

    /// Whether events of the process may be in no ledger.
    func isImpatient(_ owner: Int) -> Bool { impatient.contains(owner) }

    /// Whether an event of any process may have ended with it although the ledger has what it reports.
    var isSomethingInMemoryOnly: Bool { !impatient.isEmpty }

    /// Whether the process lost changes.
    func isLossy(_ owner: Int) -> Bool { lossy.contains(owner) }

    /// The process ended, and took along what was at risk.
    /// - Parameters:
    ///   - isDurable: whether there is a ledger.
    ///   - isComplete: whether it ended in good order, with nothing left.
    ///   - lost: how many events it gave up, and said so.
    func didEnd(_ owner: Int, isDurable: Bool, isComplete: Bool, lost: Int) {
        ended.insert(owner)
        rejectedCount += lost
        if isComplete { settle(owner) }
        order.removeAll { report in
            guard let promise = promises[report], promise.owner == owner, promise.isAtRisk else { return false }
            promises[report] = nil
            return true
        }
        // What is still in the ledger, or never was there, may be delivered again.
        for report in Set(kept.values.map(\.report)).union(uncommitted[owner] ?? []) {
            receptions[report]?.repetitions += 1
        }
        if isDurable { return }
        for report in receptions.keys { receptions[report]?.repetitions += 1 }
        claims = claims.filter { $0.value.owner != owner }
        decisions.forgetAll()
    }

    /// The process' shutdown returned.
    func didStop(_ owner: Int) { stopped.insert(owner) }

    // MARK: What ledgers were answered

    func beginLoad(of key: String, by owner: Int) -> Int { loads.begin(Self.visitor(key), by: owner) }

    func endLoad(_ load: Int, of key: String, by owner: Int, isKnown: Bool) {
        loads.end(load, Self.visitor(key), by: owner, isKnown: isKnown)
    }

    /// The visitor's part of a key, `account-project-visitor`.
    private static func visitor(_ key: String) -> String {
        key.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false).last.map(String.init) ?? key
    }

    /// Whether the process waits for the answer to a commit.
    func isCommitting(_ owner: Int) -> Bool { committing.contains(owner) }

    func endCommit(by owner: Int) { committing.remove(owner) }

    func willCommit(_ entries: [LedgerEntry], by owner: Int) {
        committing.insert(owner)
        for event in entries.lazy.flatMap(\.events) where kept[event.id] == nil {
            kept[event.id] = Report(event.record).map { ($0, owner) }
        }
    }

    func didCommit(_ entries: [LedgerEntry], _ outcomes: [LedgerOutcome]) {
        for (entry, outcome) in zip(entries, outcomes) {
            for event in entry.events {
                if outcome.unreported.contains(event.id) {
                    if let report = kept.removeValue(forKey: event.id)?.report { dropped.insert(report) }
                } else if let report = kept[event.id]?.report {
                    committed.insert(report)
                }
            }
        }
    }

    /// A ledger gave events.
    func didRead(_ events: [StoredEvent]) {
        for event in events {
            guard let report = kept[event.id]?.report ?? Report(event.record) else { continue }
            committed.insert(report)
        }
    }

    func didRemove(_ ids: [EventID]) { for id in ids { kept[id] = nil } }

    /// The ledger confirmed that the events are the process' own; it sends them next.
    func willSend(_ ids: [EventID], by owner: Int) { confirmed[owner] = Set(ids.compactMap { kept[$0]?.report }) }

    /// Another owner takes the event. The owner before may have sent it already.
    func isTakenOver(_ id: EventID) {
        guard let report = kept[id]?.report else { return }
        let isUnderWay = confirmed.values.contains { $0.contains(report) }
        if isUnderWay || receptions[report]?.taken ?? 0 > 0 {
            receptions[report, default: Reception()].repetitions += 1
        }
    }

    // MARK: What the endpoint gets

    /// A request goes out.
    ///
    /// *Nothing is delivered before it is committed.* Example: a ledger fails for a second; the event of a conversion
    /// made meanwhile goes out after that. Only if it fails for longer than `ledgerPatience` events go out without it.
    ///
    /// *A shutdown is the end.* Example: a request that was asked for while `shutdown` returned does not go out.
    func willSend(_ request: HTTPRequest, from owner: Int, hasLedger: Bool) {
        if stopped.contains(owner) { World.current.fail("a request goes out after the shutdown") }
        guard hasLedger else { return }
        confirmed[owner] = nil
        World.current.say("sends \(Report.all(in: request))")
        for report in Report.all(in: request) {
            if impatient.contains(owner) {
                uncommitted[owner, default: []].insert(report)
                if forgetsVisitors || lossy.contains(owner) {
                    receptions[report, default: Reception()].repetitions += 1
                }
            } else if !committed.contains(report) {
                World.current.fail("an event is sent that no ledger has, \(report)")
            }
            // Without a ledger a process cannot know that another one reports it.
            let isElsewhere =
                uncommitted.contains { $0.key != owner && $0.value.contains(report) }
                || impatient.contains(owner)
                    && (receptions[report]?.owners.contains { $0 != owner } ?? false
                        || kept.values.contains { $0.report == report && $0.owner != owner })
            if isElsewhere, repeated[owner, default: []].insert(report).inserted {
                receptions[report, default: Reception()].repetitions += 1
            }
        }
    }

    /// A request arrived.
    func didTake(_ request: HTTPRequest, isRepeated: Bool) {
        for report in Report.all(in: request) { receptions[report, default: Reception()].taken += isRepeated ? 2 : 1 }
    }

    /// A request was answered.
    ///
    /// *What was delivered is not sent again.* Example: a request with three events is answered 200; no other request
    /// holds one of them, unless the process ended before its ledger removed it.
    func didAnswer(_ status: Int, _ request: HTTPRequest, to owner: Int, isHeard: Bool) {
        guard status == 200, isHeard else { return }
        for report in Report.all(in: request) {
            var reception = receptions[report] ?? Reception()
            reception.heard += 1
            reception.owners.insert(owner)
            receptions[report] = reception
            if reception.heard > 1 + reception.repetitions {
                World.current.fail("an event was delivered \(reception.heard) times, \(report)")
            }
        }
    }

    /// Whether the endpoint refuses what is in the request.
    func holdsRefusedEvent(_ request: HTTPRequest) -> Bool {
        Report.all(in: request).contains { $0.visitor == Plan.refusedVisitor }
    }

    // MARK: Flushes

    /// What a flush of the process has to send: what was promised until now.
    ///
    /// - Parameter isShared: whether other processes send what is theirs, and what earlier ones left.
    func due(at owner: Int, isShared: Bool) -> [Report] {
        if !isShared { return order }
        let others = Set(kept.values.lazy.filter { $0.owner != owner }.map(\.report))
        return order.filter { promises[$0]?.owner == owner && !others.contains($0) }
    }

    /// A flush returned, and nothing was in its way.
    ///
    /// *A flush sends what was tracked before it.* Example: a conversion is tracked and its event stored; `flush()`,
    /// called at the moment of the commit, returns after the endpoint has the event.
    ///
    /// - Parameter lost: how many events the process gave up.
    func didFlush(_ due: [Report], lost: Int) {
        // Another process may have stored one before, and send it.
        let missing = missing(of: due.filter { !dropped.contains($0) }, lost: lost)
        guard let first = missing.first else { return }
        World.current.fail("a flush returned before the endpoint had \(missing.count) events, such as \(first)")
    }

    // MARK: The end

    /// What was promised and never arrived.
    ///
    /// *Each event reaches the endpoint at least once.* Example: a server is killed one disk step after `persisted()`
    /// returned; the next one finds the event, and sends it.
    ///
    /// - Parameter lost: how many events the processes gave up that run.
    func missing(lost: Int) -> [Report] { missing(of: order, lost: lost) }

    private func missing(of reports: [Report], lost: Int) -> [Report] {
        let missing = reports.filter { report in
            report.visitor != Plan.refusedVisitor && receptions[report]?.taken ?? 0 == 0 && !isSuperseded(report)
        }
        return missing.count > rejectedCount + lost ? missing : []
    }

    /// Whether another process may have stored a decision first. Its event may have gone out without the ledger, and
    /// ended with it.
    private func isSuperseded(_ report: Report) -> Bool {
        guard let experience = promises[report]?.doubtful else { return false }
        if dropped.contains(report), !impatient.isDisjoint(with: ended) { return true }
        return decisions.variationCount(at: Decisions.Place(visitor: report.visitor, experience: experience)) > 1
    }
}

extension DeliveryCounts {
    /// Number of events that were given up for want of room, or after the end.
    var lost: Int { (rejected[.overflow] ?? 0) + (rejected[.shutDown] ?? 0) }
}
