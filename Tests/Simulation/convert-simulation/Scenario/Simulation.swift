import ConvertMonitoring
import ConvertSwiftSDK

/// One seed: a server, its visitors and its troubles, and what must be true after them.
final class Simulation {
    /// What came of it.
    struct Outcome {
        let failure: String?
        let digest: String
    }

    private static let second: Int64 = 1_000_000_000
    /// By then every pause is over: the longest that the SDK makes takes a quarter of an hour.
    private static let timeToRest = 4000 * second

    private let plan: Plan
    private let world: World
    private let history: History
    private let peers: Peers
    private let servers: [Server]
    private let database: SharedDatabase?
    private let loss: LossOfAnswers

    /// - Parameters:
    ///   - omitted: indexes of steps of the plan that do not happen.
    ///   - folder: where the server's files are.
    ///   - hasBaton: whether threads hand on a baton.
    init(seed: Int, without omitted: Set<Int> = [], folder: String, hasBaton: Bool = false, printsLog: Bool = false) {
        var plan = Plan(seed: seed)
        plan.steps = plan.steps.enumerated().filter { !omitted.contains($0.offset) }.map(\.element)
        self.plan = plan
        history = History(forgetsVisitors: plan.visitorCapacity < 10_000)
        world = World(seed: seed)
        world.isLoud = printsLog
        world.begin(hasBaton: hasBaton)
        peers = Peers(history: history, seed: seed)
        let database = plan.durability == .shared ? SharedDatabase(history: history, seed: seed) : nil
        self.database = database
        loss = LossOfAnswers(percentage: plan.answerLoss, seed: seed)
        let layer = DurableLayer(durability: plan.durability, history: history, database: database, loss: loss)
        servers = (0..<plan.serverCount).map { [history, peers] number in
            Server(
                number, plan: plan, peers: peers, history: history, layer: layer, log: MessageLog(prints: printsLog),
                folder: "\(folder)/\(number)", seed: seed)
        }
    }

    /// Runs the seed.
    func run() -> Outcome {
        world.disk = { [servers] step, path, bytes, count, offset in
            let server = servers.first { path.hasPrefix($0.disk.root) } ?? servers[0]
            return server.disk.decide(step, path, bytes, count, offset)
        }
        world.afterStep = { [servers] in for server in servers { server.checkStep() } }
        world.at(0) { [servers] in for server in servers { server.start() } }
        for step in plan.steps {
            world.at(Int64(step.time) * 1_000_000) { [self] in
                perform(step.action, servers[step.server % servers.count])
            }
        }
        world.run(until: (Int64(Plan.length) / 1000 + 1) * Self.second)
        mend()
        if plan.endsOffline { stopOffline() }
        rest()
        if plan.isKilledAtRest { killAtRest() }
        stop()
        world.finishThreads()
        return Outcome(failure: world.failure, digest: world.trace.text)
    }

    private func perform(_ action: Plan.Action, _ server: Server) {
        switch action {
        case .visit(let visitor, let waits, let calls): server.visit(visitor, waits: waits, calls)
        case .message(let message): server.show(message)
        case .network(let health): peers.health = health
        case .disk(let health): server.disk.health = health
        case .database(let health): database?.health = health
        case .stall(let milliseconds): server.stall(milliseconds: milliseconds)
        case .config: peers.config = SampleConfig(version: peers.config.version + 1)
        case .tracking(let isEnabled): server.setTrackingEnabled(isEnabled)
        case .flush: server.flush()
        case .end(let end, let step): server.disk.schedule(end, in: step)
        case .kill: server.kill()
        case .deploy(let deadline): server.stop(deadline: Int64(deadline) * 1_000_000) { [server] _ in server.start() }
        }
    }

    /// Makes all peers well.
    private func mend() {
        peers.health = plan.endsOffline ? .down : .well
        database?.health = .well
        loss.isOn = false
        for server in servers {
            server.disk.health = .well
            server.disk.schedule(.kill, in: .max / 2)
        }
        wait(seconds: 60) { [self] in areAllUp && servers.allSatisfy { $0.process?.isEnding == false } }
        for server in servers { server.setTrackingEnabled(true) }
        // What the disk did not take is offered to it again.
        wait(seconds: 60)
    }

    private var areAllUp: Bool { servers.allSatisfy { $0.process?.sdk != nil } }

    /// Stops the servers while their endpoint cannot be reached, or kills them, and starts them again.
    ///
    /// *At rest, with a ledger that is well, it has every queued event.* Example: the disk was full for a while; a
    /// minute after there is room again, a server that is stopped says that the ledger has all that waits.
    private func stopOffline() {
        for server in servers {
            if plan.isKilledAtRest, server.layer.isDurable {
                settle(server)
                server.kill()
            } else {
                stopOffline(server)
                server.start()
            }
        }
        peers.health = .well
        wait(seconds: 60) { [self] in areAllUp }
    }

    private func stopOffline(_ server: Server) {
        guard let owner = server.process?.owner else { return }
        var isOver = false
        server.stop(deadline: 5 * Self.second) { [world, history] report in
            isOver = true
            if server.layer.isDurable, !history.isImpatient(owner), report.events.queued > 0 && !report.areEventsStored
            {
                world.fail("the ledger is well and lacks what waits: \(report)")
            }
        }
        wait(seconds: 30) { isOver }
    }

    /// What a process did that has had time enough to store it is stored.
    private func settle(_ server: Server) {
        guard let process = server.process, let status = process.sdk?.ledgerStatus else { return }
        if !status.isAvailable { world.fail("the ledger is well, and fails: \(status)") }
        if status.waitingEntries > 0 { world.fail("\(status.waitingEntries) entries wait although the ledger is well") }
        history.settle(process.owner)
    }

    /// Waits until nothing is left to do.
    ///
    /// *At rest, with all peers well, every component is empty.* Example: an hour after the endpoint came back, no
    /// event waits.
    private func rest() {
        wait(until: Self.timeToRest) { [self] in
            servers.allSatisfy { server in
                guard let process = server.process else { return false }
                return process.requestCount == 0 && process.counts.queued == 0 && process.sdk?.isReady ?? false
            }
        }
        // The next refresh, what others left, and lines that wait for others.
        wait(seconds: 2 * plan.refreshSeconds + 10)
        wait(seconds: 1000) { [self] in
            database?.eventCount ?? 0 == 0 && servers.allSatisfy { $0.process?.counts.queued == 0 }
        }
        wait(seconds: 10)
        for server in servers { checkRest(of: server) }
        let lost = servers.reduce(0) { $0 + ($1.process?.counts.lost ?? 0) }
        let missing = history.missing(lost: lost)
        if let first = missing.first { world.fail("\(missing.count) events never arrived, such as \(first)") }
    }

    private func checkRest(of server: Server) {
        guard let process = server.process, let sdk = process.sdk else {
            return world.fail("no server runs at the end")
        }
        if process.requestCount > 0 { world.fail("\(process.requestCount) calls do not return") }
        if process.counts.queued > 0 { world.fail("events wait although the endpoint takes them: \(process.counts)") }
        if !sdk.isReady { world.fail("the server has no config although there is one") }
        if sdk.deliveryOutage != nil { world.fail("there is an outage although the endpoint takes events") }
        checkConfig(sdk)
        if plan.hasDecisionLog, sdk.decisionLogCounts.written + sdk.decisionLogCounts.lost != process.decisionCount {
            world.fail("\(process.decisionCount) decisions were logged as \(sdk.decisionLogCounts)")
        }
        if sdk.decisionLogCounts.waiting > 0 { world.fail("lines wait for the decision log") }
        settle(server)
    }

    /// *A config that is served is used.* Example: two refreshes failed; the one after them brings the config that was
    /// published meanwhile.
    private func checkConfig(_ sdk: ConvertSDK) {
        if plan.refreshSeconds == 0 { return }
        if sdk.configStatus.failingSince != nil { world.fail("the config cannot be refreshed although it is served") }
        let name = sdk.currentConfig?.project.name ?? "none"
        if name != "Shop \(peers.config.version)" {
            world.fail("the config is '\(name)', and version \(peers.config.version) is served")
        }
    }

    /// Kills the servers once nothing is left to do: they leave nothing, and others begin.
    private func killAtRest() {
        for server in servers { server.kill(isStartedAgain: false) }
        wait(seconds: 1)
        for server in servers {
            checkFiles(of: server)
            server.start()
        }
        wait(seconds: 60) { [self] in servers.allSatisfy { $0.process?.sdk?.isReady ?? false } }
    }

    /// Stops the servers for good.
    ///
    /// *Nothing is left.* Example: after a complete shutdown no task of the SDK's waits for anything, no file is open,
    /// and the next process finds no event.
    private func stop() {
        for server in servers {
            guard let owner = server.process?.owner else { continue }
            var isOver = false
            server.stop(deadline: 10 * Self.second) { [world, history] report in
                isOver = true
                if report.events.queued > 0 || report.unstoredEntries > 0 && !history.isLossy(owner) {
                    world.fail("a shutdown in good order leaves something: \(report)")
                }
            }
            wait(seconds: 20) { isOver }
            if !isOver { world.fail("the shutdown does not return") }
            wait(seconds: 100)
            // The system keeps a sleep that was cancelled until its time.
            wait(until: world.time + Self.timeToRest) { [world] in !world.hasWork(of: owner) }
            if world.hasWork(of: owner) { world.fail("something of the SDK's waits after the shutdown") }
            checkFiles(of: server)
        }
    }

    private func checkFiles(of server: Server) {
        let (layer, folder) = (server.layer, server.disk.folder)
        guard layer.isDurable else { return }
        var isOver = false
        world.run(as: World.outside) {
            let end = Unchecked { (count: Int) in
                isOver = true
                if count > 0 { World.current.fail("\(count) events stay in the ledger") }
            }
            Task.detached {
                do { end.value(try await layer.eventsLeft(in: folder)) } catch {
                    World.current.fail("the files cannot be opened again: \(error)")
                }
            }
        }
        wait(seconds: 20) { isOver }
    }

    private func wait(seconds: Int, until isOver: () -> Bool = { false }) {
        wait(until: world.time + Int64(seconds) * Self.second, isOver)
    }

    private func wait(until end: Int64, _ isOver: () -> Bool) {
        // In parts: what is not over may be found only by looking.
        while world.failure == nil, world.time < end, !isOver() {
            world.run(until: min(end, world.time + Self.second), orUntil: isOver)
        }
    }
}
