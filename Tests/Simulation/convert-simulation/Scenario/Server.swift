import CConvertSimulation
import ConvertConcurrency
import ConvertSwiftSDK
import Foundation

/// One machine with its disk, on which one process after the other runs the real SDK.
final class Server: @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.

    /// A process: an SDK, and the requests that it serves.
    final class Process: @unchecked Sendable {
        let owner: Int
        var sdk: ConvertSDK?
        var isEnding = false
        var requestCount = 0
        /// Number of decisions that it was asked for.
        var decisionCount = 0
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
    private let log: MessageLog
    private(set) var process: Process?
    private var lastOwner = 0
    private var isSettled = true
    private var startsAgain = true

    init(plan: Plan, peers: Peers, history: History, log: MessageLog, folder: String, seed: Int) {
        self.plan = plan
        self.peers = peers
        self.history = history
        self.log = log
        layer = DurableLayer(durability: plan.durability)
        disk = Disk(root: folder, seed: seed)
        disk.didEnd = { [unowned self] end in processDidEnd(end) }
    }

    private var world: World { .current }

    // MARK: Begin and end

    /// Starts a process on what the disk has, and again a little later if that cannot be opened.
    func start(attempt: Int = 0) {
        if process != nil { return }
        lastOwner += 1
        let process = Process(owner: lastOwner)
        self.process = process
        world.run(as: process.owner) {
            do {
                var configuration = configuration
                try layer.open(in: disk.folder, for: &configuration)
                // The disk may have ended the process while it opened its files.
                guard self.process === process else { return }
                process.sdk = ConvertSDK(
                    sdkKey: "1001/2002", configuration: configuration,
                    transport: Network(owner: process.owner, peers: peers))
            } catch {
                guard self.process === process else { return }
                self.process = nil
                if disk.health == .well, attempt > 200 { world.fail("the stores cannot be opened: \(error)") }
                world.at(world.time + Self.second / 10) { self.start(attempt: attempt + 1) }
            }
        }
    }

    private var configuration: SDKConfiguration {
        var configuration = SDKConfiguration()
        configuration.batchSize = plan.batchSize
        configuration.queueCapacity = plan.queueCapacity
        configuration.storeQueueCapacity = plan.storeQueueCapacity
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
        history.didEnd(lastOwner, by: end, process?.counts ?? DeliveryCounts())
        // It ends with all that it has, but for memory: that is abandoned.
        if let sdk = process?.sdk { _ = Unmanaged.passRetained(sdk) }
        let (startsAgain, owner) = (startsAgain, lastOwner)
        world.at(world.time + Self.second / 20) { [self] in
            world.finishThreads(of: owner)
            disk.restart()
            if startsAgain { start() }
        }
    }

    /// Stops the process in good order, and calls `then` when it has ended.
    ///
    /// *A shutdown ends at its deadline.* Example: `shutdown(deadline: .seconds(5))` with an endpoint that never answers returns
    /// after five seconds.
    func stop(deadline: Int64, then: @escaping (ShutdownReport) -> Void) {
        guard let process, let sdk = process.sdk, !process.isEnding else { return }
        process.isEnding = true
        let end = world.time + deadline
        world.run(as: process.owner) {
            let box = Unchecked(then)
            Task.detached { [self] in
                let report = await sdk.shutdown(deadline: .nanoseconds(deadline))
                if world.time > end + Self.second / 5 {
                    world.fail("a shutdown took \((world.time - end) / 1_000_000) ms more than its deadline")
                }
                didStop(process, report)
                box.value(report)
            }
        }
    }

    private func didStop(_ process: Process, _ report: ShutdownReport) {
        Accounts.check(report.events, of: plan, "after the shutdown")
        history.didStop(process.owner, isDurable: layer.isDurable, isWell: isSettled, report)
        process.sdk = nil
        guard self.process === process else { return }
        self.process = nil
    }

    /// Sends and saves what waits.
    ///
    /// *A flush returns.* Example: with a network that is down, `flush()` returns when the request has failed.
    func flush() {
        guard let process, let sdk = process.sdk, !process.isEnding else { return }
        process.requestCount += 1
        world.run(as: process.owner) {
            Task.detached { [world] in
                let start = world.time
                await sdk.flush()
                if world.time > start + 60 * Self.second {
                    world.fail("a flush took \((world.time - start) / Self.second) s")
                }
                process.requestCount -= 1
            }
        }
    }

    // MARK: The app

    /// Whether what calls are promised now may be lost with the process.
    private var isAtRisk: Bool { !layer.isDurable || !isSettled }

    /// Checks what holds after every step.
    func checkStep() {
        guard let process, let sdk = process.sdk else { return }
        process.counts = sdk.deliveryCounts
        Accounts.check(process.counts, of: plan, "while it runs")
        if disk.health != .well {
            isSettled = false
        } else if !isSettled, world.time > (disk.lastTrouble ?? 0) + Self.settlingTime {
            isSettled = true
            history.settle(process.owner, areVisitorsKept: plan.hasRoomForVisitors)
        }
    }

    /// Lets events be sent, or wait.
    func setTrackingEnabled(_ isEnabled: Bool) {
        guard let process else { return }
        world.run(as: process.owner) { process.sdk?.setTrackingEnabled(isEnabled) }
    }

    /// Serves a visitor's request.
    func visit(_ visitor: String, waits: Bool, _ calls: [Plan.Call]) {
        guard let process, let sdk = process.sdk, !process.isEnding else { return }
        process.requestCount += 1
        world.run(as: process.owner) {
            Task.detached { [self] in
                let context =
                    waits
                    ? await sdk.loadContext(visitorID: visitor, attributes: JSObject())
                    : sdk.createContext(visitorID: visitor, attributes: JSObject())
                for call in calls { await perform(call, for: visitor, waits, in: context, of: process) }
                process.requestCount -= 1
            }
        }
    }

    private func perform(
        _ call: Plan.Call, for visitor: String, _ waits: Bool, in context: ConvertContext, of process: Process
    ) async {
        switch call {
        case .pause(let milliseconds): try? await Task.sleep(for: .milliseconds(milliseconds))
        case .segment(let name): context.updateVisitorProperties(["customSegments": [.string(name)]])
        case .decide(let experience):
            if process.sdk?.isReady ?? false { process.decisionCount += 1 }
            guard let variation = context.selectVariation(experience), process === self.process else { return }
            didDecide(variation, for: visitor, waits, by: process)
        case .convert(let goal, let transaction):
            let outcome = context.trackConversion(
                goal, revenue: transaction.map { _ in 9.5 }, transactionID: transaction,
                forcesMultipleTransactions: transaction != nil)
            guard process === self.process else { return }
            didConvert(goal, transaction, outcome, for: visitor, by: process)
        }
    }

    private func didDecide(
        _ variation: BucketedVariation, for visitor: String, _ waits: Bool, by process: Process
    ) {
        if process.isEnding { return }
        // A context that does not wait for the record decides without it.
        if waits || !layer.isDurable {
            let report = History.Report(visitor: visitor, what: "sees \(variation.experienceID)")
            history.decide(report, variation.variationID, by: process.owner, isAtRisk: isAtRisk)
        }
        guard variation.source == .bucketed else { return }
        let what = "sees \(variation.variationID) of \(variation.experienceID)"
        history.promise(
            History.Report(visitor: visitor, what: what), by: process.owner, isAtRisk: isAtRisk,
            waits: waits || !layer.isDurable)
    }

    private func didConvert(
        _ goal: String, _ transaction: String?, _ outcome: Conversion.Outcome, for visitor: String,
        by process: Process
    ) {
        guard outcome == .triggered || outcome == .deferred, !process.isEnding else { return }
        let number = SampleConfig.goals.firstIndex(of: goal) ?? 0
        let what = transaction.map { "buys \($0)" } ?? "triggers 20\(number)"
        let report = History.Report(visitor: visitor, what: what)
        if outcome == .triggered, transaction == nil { history.claim(report, by: process.owner, isAtRisk: isAtRisk) }
        // A conversion that waits for a record is promised to no disk.
        history.promise(report, by: process.owner, isAtRisk: isAtRisk || outcome == .deferred)
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
