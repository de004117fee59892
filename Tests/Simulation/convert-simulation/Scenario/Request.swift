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
        case .persist(let milliseconds): await persist(within: .milliseconds(milliseconds))
        }
    }

    /// What the process has given up, and says so: what a call answers then is no promise.
    private var lossCount: Int {
        (sdk.deliveryCounts.rejected[.overflow] ?? 0) + (sdk.ledgerStatus?.lostEntries ?? 0)
    }

    private func decide(_ experience: String) {
        if sdk.isReady { process.decisionCount += 1 }
        let lossCount = lossCount
        guard let variation = context.selectVariation(experience), isAlive, lossCount == self.lossCount else { return }
        let report = Report(visitor: visitor, what: "sees \(variation.variationID) of \(variation.experienceID)")
        let isFirst = !history.hasAnswer(visitor, variation.experienceID, by: process.owner)
        note(variation)
        if variation.source == .bucketed {
            facts.insert(.event(report))
            let isSure = knownSince != nil && !isShared
            history.promise(report, by: process.owner, doubtful: isSure ? nil : variation.experienceID)
        } else if isDurable, !isShared, isFirst {
            history.didFind(report, by: process.owner)
        }
    }

    private func note(_ variation: BucketedVariation) {
        facts.insert(.decision(visitor: visitor, experience: variation.experienceID))
        history.decide(
            visitor, variation.experienceID, variation.variationID, by: process.owner, knowingAsOf: knownSince,
            isSure: knownSince != nil && !isShared)
    }

    private func convert(_ goal: String, _ transaction: String?) {
        let lossCount = lossCount
        let outcome = context.trackConversion(
            goal, revenue: transaction.map { _ in 9.5 }, transactionID: transaction,
            forcesMultipleTransactions: transaction != nil)
        guard isAlive, lossCount == self.lossCount else { return }
        let number = SampleConfig.goals.firstIndex(of: goal) ?? 0
        let goal = Report(visitor: visitor, what: "triggers 20\(number)")
        let report = transaction.map { Report(visitor: visitor, what: "buys \($0)") } ?? goal
        switch outcome {
        case .triggered, .deferred:
            if outcome == .triggered, transaction == nil {
                history.claim(goal, by: process.owner, knowingAsOf: knownSince)
            }
            // Of two that wait for a record only one counts.
            if outcome == .triggered || transaction == nil { facts.insert(.goal(goal)) }
            facts.insert(.event(report))
            history.promise(report, by: process.owner)
        case .alreadyTriggered:
            facts.insert(.goal(goal))
            if isDurable, !isShared, knownSince != nil { history.didFind(goal, by: process.owner) }
        default: break
        }
    }

    /// Waits until everything is persisted. What the visitor sees then is persisted.
    private func persist(within timeout: Duration) async {
        let end = World.current.time + timeout.nanoseconds
        let isPersisted = (try? await context.persisted(within: timeout)) != nil
        guard isAlive, isDurable else { return }
        if !isPersisted {
            if World.current.time < end { World.current.fail("persisted() gave up before its time") }
            return
        }
        for experience in SampleConfig.experiences {
            guard let variation = context.decide(experience, exposure: false).variation,
                facts.contains(.decision(visitor: visitor, experience: variation.experienceID))
            else { continue }
            process.decisionCount += 1
            note(variation)
        }
        history.persist(facts, by: process.owner)
        facts = []
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
