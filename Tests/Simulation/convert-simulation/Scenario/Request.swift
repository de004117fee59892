import ConvertMonitoring
import ConvertSwiftSDK

/// A visitor's request: what the app asks a context, and what it was answered.
final class Request: @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.
    private let server: Server
    private let process: Server.Process
    private let sdk: ConvertSDK
    private let context: ConvertContext
    private let visitor: String
    private let history: History
    /// As of when the context knows what is stored of the visitor; `nil` if it may not know it.
    private let knownSince: Int64?
    private let isDurable: Bool
    private let isShared: Bool
    /// What the context did since the app awaited the last time.
    private var facts: Set<History.Fact> = []
    /// Events that it was promised since then, each by a call that did not wait for the record.
    private var events: Set<Report> = []
    /// Experiences for which it decided since then.
    private var experiences: Set<String> = []

    init(
        server: Server, process: Server.Process, sdk: ConvertSDK, context: ConvertContext, visitor: String,
        history: History, knownSince: Int64?
    ) {
        self.server = server
        self.process = process
        self.sdk = sdk
        self.context = context
        self.visitor = visitor
        self.history = history
        self.knownSince = knownSince
        isDurable = server.layer.isDurable
        isShared = server.plan.durability == .shared
    }

    /// Whether the answers still reach somebody.
    private var isAlive: Bool { process === server.process && !process.isEnding }

    func perform(_ call: Plan.Call) async {
        switch call {
        case .pause(let milliseconds): try? await Task.sleep(for: .milliseconds(milliseconds))
        case .segment(let name): context.updateVisitorProperties(["customSegments": [.string(name)]])
        case .decide(let experience): decide(experience)
        case .convert(let goal, let transaction): convert(goal, transaction)
        case .flush(let microseconds):
            try? await Task.sleep(for: .microseconds(microseconds))
            await server.flush(sdk, of: process)
        case .persist(let milliseconds): await persist(within: .milliseconds(milliseconds))
        }
    }

    /// What the process has given up, and says so: what a call answers then is no promise.
    private var lossCount: Int {
        (sdk.deliveryCounts.rejected[.overflow] ?? 0) + (sdk.ledgerStatus?.lostEntries ?? 0)
    }

    private func decide(_ experience: String) {
        // Another request of the visitor may be answered from memory before the first one's answer is noted.
        let place = Decisions.Place(visitor: visitor, experience: experience)
        let isFirst = history.decisions.ask(place, by: process.owner)
        let lossCount = lossCount
        let decision = context.decide(experience)
        if decision.reason != .sdkNotReady { process.decisionCount += 1 }
        let variation = decision.variation
        if isFirst, variation == nil { history.decisions.forgetAsking(place, by: process.owner) }
        World.current.say("\(visitor) sees \(variation?.variationID ?? "nothing") of \(experience)")
        if lossCount != self.lossCount { return }
        guard let variation, isAlive else { return }
        let report = Report(visitor: visitor, what: "sees \(variation.variationID) of \(variation.experienceID)")
        note(variation)
        experiences.insert(experience)
        if variation.source == .bucketed {
            facts.insert(.event(report))
            events.insert(report)
            let isSure = knownSince != nil && !isShared
            history.promise(report, by: process.owner, doubtful: isSure ? nil : variation.experienceID)
        } else if isDurable, !isShared, isFirst {
            history.didFind(report, by: process.owner)
        }
    }

    private func note(_ variation: BucketedVariation) {
        history.decisions.decide(
            variation.variationID, at: place(of: variation), by: process.owner, knowingAsOf: knownSince,
            isSure: knownSince != nil && !isShared, isLossy: history.isLossy(process.owner))
    }

    private func place(of variation: BucketedVariation) -> Decisions.Place {
        Decisions.Place(visitor: visitor, experience: variation.experienceID)
    }

    private func convert(_ goal: String, _ transaction: String?) {
        let lossCount = lossCount
        let outcome = context.trackConversion(
            goal, revenue: transaction.map { _ in 9.5 }, transactionID: transaction,
            forcesMultipleTransactions: transaction != nil)
        World.current.say("\(visitor) converts \(goal) \(transaction ?? ""): \(outcome)")
        guard lossCount == self.lossCount, isAlive else { return }
        let number = SampleConfig.goals.firstIndex(of: goal) ?? 0
        let goal = Report(visitor: visitor, what: "triggers 20\(number)")
        let report = transaction.map { Report(visitor: visitor, what: "buys \($0)") } ?? goal
        switch outcome {
        case .triggered, .deferred:
            if outcome == .triggered, transaction == nil {
                history.claim(goal, by: process.owner, knowingAsOf: knownSince)
            }
            if outcome == .triggered { events.insert(report) }
            // What the record says of the goal may have been reported without the ledger.
            if outcome == .deferred, history.isSomethingInMemoryOnly { return }
            // Of two that wait for a record only one counts.
            if outcome == .triggered || transaction == nil { facts.insert(.goal(goal)) }
            for report in history.isSomethingInMemoryOnly ? [report] : [report, goal] {
                facts.insert(.event(report))
                history.promise(report, by: process.owner)
            }
        case .alreadyTriggered:
            facts.insert(.goal(goal))
            if isDurable, !isShared, knownSince != nil { history.didFind(goal, by: process.owner) }
        default: break
        }
    }

    /// Waits until everything is persisted. What the visitor sees then is persisted.
    ///
    /// *`persisted()` returns while the ledger is well.* Example: a decision is queued just before the writer sleeps;
    /// `persisted(within: .seconds(5))` returns long before that time.
    private func persist(within timeout: Duration) async {
        let start = World.current.time
        let end = start + timeout.nanoseconds
        let isPersisted = (try? await context.persisted(within: timeout)) != nil
        World.current.say("\(visitor) is \(isPersisted ? "" : "not ")persisted")
        guard isAlive, isDurable else { return }
        if !isPersisted {
            // Without a config, segments have no visitor's key to be stored under.
            if World.current.time < end, server.plan.queueCapacity == 10_000, process.sdk?.isReady == true {
                World.current.fail("persisted() gave up before its time")
            }
            if timeout >= .seconds(5), process.sdk?.isReady == true, server.isWell(since: start) {
                World.current.fail("persisted() does not return although the ledger is well")
            }
            return
        }
        history.didAwait(events, by: process.owner)
        events = []
        for experience in experiences.sorted() {
            process.decisionCount += 1
            guard let variation = context.decide(experience, exposure: false).variation else { continue }
            note(variation)
            if history.isLossy(process.owner) { continue }
            history.decisions.persist(variation.variationID, at: place(of: variation), by: process.owner)
        }
        experiences = []
        history.persist(facts, by: process.owner)
        facts = []
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
