import CConvertSimulation
import ConvertConcurrency
import ConvertMonitoring
import ConvertSwiftSDK
import Foundation

/// One machine with its disk, on which one process after the other runs the real SDK.
final class Server: @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.

    /// A process: an SDK, and the requests that it serves.
    final class Process: @unchecked Sendable {
        let owner: Int
        var sdk: ConvertSDK?
        var messages: Messages?
        var isEnding = false
        var requestCount = 0
        /// Number of decisions that it was asked for.
        var decisionCount = 0
        /// Until when it does nothing, without knowing.
        var stallEnd: Int64 = 0
        /// Since when it may send; `nil` if it may not.
        var sendsSince: Int64? = 0
        /// Since when its ledger fails.
        var failingSince: Int64?
        /// Where its events were at the last step.
        var counts = DeliveryCounts()

        init(owner: Int) { self.owner = owner }
    }

    private static let second: Int64 = 1_000_000_000
    /// So long after its last trouble, whatever the disk did not take has been offered to it again.
    private static let settlingTime = 30 * second

    let plan: Plan
    let disk: Disk
    let layer: DurableLayer
    private let peers: Peers
    private let history: History
    private let messageHistory = MessageHistory()
    private let log: MessageLog
    private(set) var process: Process?
    /// Two servers have no owner's number in common.
    private var lastOwner: Int
    private let serverCount: Int
    private var isSettled = true
    private var startsAgain = true

    /// - Parameter number: 0 or more.
    init(
        _ number: Int, plan: Plan, peers: Peers, history: History, layer: DurableLayer, log: MessageLog, folder: String,
        seed: Int
    ) {
        self.plan = plan
        self.peers = peers
        self.history = history
        self.layer = layer
        self.log = log
        serverCount = plan.serverCount
        lastOwner = number + 1 - serverCount
        disk = Disk(root: folder, seed: seed + number)
        disk.didEnd = { [unowned self] end in processDidEnd(end) }
    }

    private var world: World { .current }

    // MARK: Begin and end

    /// Starts a process on what the disk has, and again a little later if that cannot be opened.
    func start(attempt: Int = 0) {
        if process != nil { return }
        lastOwner += serverCount
        let process = Process(owner: lastOwner)
        self.process = process
        world.run(as: process.owner) {
            do {
                var configuration = configuration
                if plan.hasMessages { process.messages = try Messages(in: disk.folder, messageHistory) }
                try layer.open(in: disk.folder, by: process.owner, for: &configuration)
                // The disk may have ended the process while it opened its files.
                guard self.process === process else { return }
                process.sdk = ConvertSDK(
                    sdkKey: "1001/2002", configuration: configuration,
                    transport: Network(owner: process.owner, hasLedger: layer.isDurable, peers: peers))
            } catch {
                guard self.process === process else { return }
                self.process = nil
                process.messages = nil
                if disk.health == .well, attempt > 200 { world.fail("the stores cannot be opened: \(error)") }
                world.at(world.time + Self.second / 10) { self.start(attempt: attempt + 1) }
            }
        }
    }

    private var configuration: SDKConfiguration {
        var configuration = SDKConfiguration()
        configuration.batchSize = plan.batchSize
        configuration.queueCapacity = plan.queueCapacity
        configuration.ledgerPatience = .milliseconds(plan.patience)
        configuration.visitorCapacity = plan.visitorCapacity
        configuration.refreshInterval = .seconds(plan.refreshSeconds)
        configuration.logger = log
        configuration.logLevel = .debug
        if plan.hasDecisionLog {
            configuration.decisionLog = DecisionLog(file: URL(fileURLWithPath: "\(disk.folder)/decisions.jsonl"))
        }
        return configuration
    }

    /// Kills the process, and starts another one soon, if that is wanted.
    func kill(isStartedAgain: Bool = true) {
        guard process != nil else { return }
        startsAgain = isStartedAgain
        defer { startsAgain = true }
        disk.finish(.kill)
    }

    private func processDidEnd(_ end: Disk.End) {
        // It may have been closing its files, after its shutdown.
        let process = process
        self.process = nil
        process?.isEnding = true
        world.kill(lastOwner)
        history.didEnd(
            lastOwner, isDurable: layer.isDurable, isComplete: false, lost: process?.counts.lost ?? 0)
        // It ends with all that it has, but for memory: that is abandoned.
        if let sdk = process?.sdk { _ = Unmanaged.passRetained(sdk) }
        if let messages = process?.messages { _ = Unmanaged.passRetained(messages) }
        if end == .powerFailure { messageHistory.forget() }
        let (startsAgain, owner) = (startsAgain, lastOwner)
        world.at(world.time + Self.second / 20) { [self] in
            world.finishThreads(of: owner)
            disk.restart()
            if startsAgain { start() }
        }
    }

    /// Stops the process in good order, and calls `then` when it has ended.
    ///
    /// *A shutdown ends at its deadline.* Example: `shutdown(deadline: .seconds(5))` with an endpoint that never
    /// answers returns after five seconds.
    func stop(deadline: Int64, then: @escaping (ShutdownReport) -> Void) {
        guard let process, let sdk = process.sdk, !process.isEnding else { return }
        process.isEnding = true
        let end = world.time + deadline
        world.run(as: process.owner) {
            let box = Unchecked(then)
            Task.detached { [self] in
                let report = await sdk.shutdown(deadline: .nanoseconds(deadline))
                if world.time > max(end, process.stallEnd + deadline) + Self.second / 5 {
                    world.fail("a shutdown took \((world.time - end) / 1_000_000) ms more than its deadline")
                }
                didStop(process, report)
                box.value(report)
            }
        }
    }

    private func didStop(_ process: Process, _ report: ShutdownReport) {
        Accounts.check(report.events, of: plan, "after the shutdown")
        let isKept = layer.isDurable && report.areEventsStored && report.unstoredEntries == 0
        history.didEnd(
            process.owner, isDurable: layer.isDurable, isComplete: isKept || report.isComplete, lost: report.events.lost
        )
        history.didStop(process.owner)
        (process.sdk, process.messages) = (nil, nil)
        guard self.process === process else { return }
        self.process = nil
    }

    /// Lets the process do nothing for a while.
    func stall(milliseconds: Int) {
        guard let process else { return }
        process.stallEnd = world.time + Int64(milliseconds) * 1_000_000
        world.stall(process.owner, until: process.stallEnd)
    }

    /// Sends and saves what waits.
    ///
    /// *A flush returns.* Example: with a network that is down, `flush()` returns when the request has failed.
    func flush() {
        guard let process, let sdk = process.sdk, !process.isEnding else { return }
        process.requestCount += 1
        world.run(as: process.owner) {
            Task.detached { [self] in
                await flush(sdk, of: process)
                process.requestCount -= 1
            }
        }
    }

    /// Flushes, and checks what came of it.
    func flush(_ sdk: ConvertSDK, of process: Process) async {
        let start = world.time
        let due = history.due(at: process.owner, isShared: plan.durability == .shared)
        await sdk.flush()
        if world.time > start + 60 * Self.second { world.fail("a flush took \((world.time - start) / Self.second) s") }
        if canFlush(process, since: start) { history.didFlush(due, lost: sdk.deliveryCounts.lost) }
    }

    /// Whether nothing has kept the process from sending what it has since `start`, or shortly before.
    private func canFlush(_ process: Process, since start: Int64) -> Bool {
        func wasWell(_ lastTrouble: Int64?) -> Bool { lastTrouble.map { $0 + Self.settlingTime <= start } ?? true }
        let isAlive = process === self.process && !process.isEnding && process.stallEnd <= max(0, start - Self.second)
        let sends = process.sendsSince.map { $0 <= start } ?? false
        if !isAlive || !sends || !peers.areWell(for: process.owner, since: start - Self.second) { return false }
        if !layer.isDurable { return true }
        // What the ledger does not take within ten seconds is not waited for.
        let isLedgerWell =
            disk.health == .well && wasWell(disk.lastTrouble) && world.time < start + 10 * Self.second
            && !history.isImpatient(process.owner) && !history.isLossy(process.owner)
        return isLedgerWell && layer.database.map { $0.health == .well && wasWell($0.lastTrouble) } ?? true
    }

    // MARK: The app

    /// Checks what holds after every step.
    func checkStep() {
        guard let process, let sdk = process.sdk else { return }
        process.counts = sdk.deliveryCounts
        Accounts.check(process.counts, of: plan, "while it runs")
        if layer.isDurable, let status = sdk.ledgerStatus { note(status, of: process) }
        if disk.health != .well {
            isSettled = false
        } else if !isSettled, world.time > (disk.lastTrouble ?? 0) + Self.settlingTime {
            isSettled = true
        }
    }

    /// Whether nothing has kept the process from its ledger since `start`, or shortly before.
    func isWell(since start: Int64) -> Bool {
        let hasTrouble = disk.health != .well || disk.lastTrouble.map { $0 + Self.settlingTime > start } ?? false
        return !hasTrouble && plan.answerLoss == 0 && plan.durability != .shared
    }

    private func note(_ status: LedgerStatus, of process: Process) {
        if status.lostEntries > 0 { history.loseChanges(process.owner) }
        guard !status.isAvailable else { return process.failingSince = nil }
        let since = process.failingSince ?? world.time
        process.failingSince = since
        // What is found out after a step may have been so for a moment.
        if world.time - since >= Int64(plan.patience) * 1_000_000 - 10_000_000 { history.loseLedger(process.owner) }
    }

    /// Lets the mobile rules see something for which they show a message.
    func show(_ message: Int) {
        guard let process, let messages = process.messages, !process.isEnding else { return }
        world.run(as: process.owner) {
            Task.detached { [self] in messages.show(message) { process === self.process && !process.isEnding } }
        }
    }

    /// Lets events be sent, or wait.
    func setTrackingEnabled(_ isEnabled: Bool) {
        guard let process else { return }
        process.sendsSince = isEnabled ? process.sendsSince ?? world.time : nil
        world.run(as: process.owner) { process.sdk?.setTrackingEnabled(isEnabled) }
    }

    /// Whether the process has to read a visitor's record for each context: others may have changed it.
    ///
    /// *Servers of a fleet see each other's changes.* Example: a visitor converts on one server and comes to another
    /// one that knew the visitor before; that one reads the record again, and answers `alreadyTriggered`.
    private func canReadRecords(of process: Process) -> Bool {
        guard plan.durability == .shared, !process.isEnding, process === self.process, let sdk = process.sdk else {
            return false
        }
        return sdk.isReady && sdk.ledgerStatus?.isAvailable ?? false
    }

    /// Serves a visitor's request.
    func visit(_ visitor: String, waits: Bool, _ calls: [Plan.Call]) {
        guard let process, let sdk = process.sdk, !process.isEnding else { return }
        process.requestCount += 1
        world.run(as: process.owner) {
            Task.detached { [self] in
                let start = world.time
                let readsAgain = waits && canReadRecords(of: process)
                // What was read waits for the answer to a commit, which may bring something newer.
                let isBeingRead =
                    history.loads.isUnderWay(visitor, by: process.owner) || history.isCommitting(process.owner)
                let context =
                    waits
                    ? await sdk.loadContext(visitorID: visitor, attributes: JSObject())
                    : sdk.createContext(visitorID: visitor, attributes: JSObject())
                let isLoaded = waits && world.time < start + Self.second
                if readsAgain, isLoaded, !isBeingRead, canReadRecords(of: process),
                    !history.loads.hasBegun(visitor, by: process.owner, since: start)
                {
                    world.fail("a context of \(visitor) was loaded without reading what other servers stored")
                }
                let request = Request(
                    server: self, process: process, sdk: sdk, context: context, visitor: visitor, history: history,
                    knownSince: layer.isDurable
                        ? isLoaded ? history.loads.knownSince(visitor, by: process.owner) : nil : start)
                for call in calls { await request.perform(call) }
                process.requestCount -= 1
            }
        }
    }
}

/// Carries what one thread at a time uses.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    /// The same, for C.
    final class Box {
        let value: Value

        init(_ value: Value) { self.value = value }
    }
}
