import ConvertTestSupport

/// What happens in a seed, drawn before anything runs, so that a failure can be had again with less of it.
struct Plan {
    /// What keeps visitors and events.
    enum Durability: String, CaseIterable {
        case memory
        /// Files that survive the process.
        case files
        /// Files that survive a failure of power.
        case synced
        /// A database that two servers share.
        case shared

        var isDurable: Bool { self != .memory }
    }

    /// What an app asks of a context.
    enum Call {
        case decide(experience: String)
        case convert(goal: String, transaction: String?)
        case segment(String)
        case pause(milliseconds: Int)
        /// Waits until what the context did is stored.
        case persist(milliseconds: Int)
        /// Flushes a moment later, when something may just be stored.
        case flush(microseconds: Int)
    }

    /// Something that happens at a time.
    struct Step {
        /// Milliseconds since the seed began.
        let time: Int
        /// The number of the server that it concerns.
        let server: Int
        let action: Action
    }

    enum Action {
        /// A visitor comes. A context that waits for the record sees it.
        case visit(visitor: String, waits: Bool, calls: [Call])
        /// Something happens for which the mobile rules show a message.
        case message(Int)
        case network(Peers.Health)
        case disk(Disk.Health)
        case database(SharedDatabase.Health)
        case config
        case tracking(Bool)
        case flush
        /// The process ends after `diskStep` more steps of the disk.
        case end(Disk.End, diskStep: Int)
        /// The process ends now.
        case kill
        /// The process does nothing for a while, and does not know.
        case stall(milliseconds: Int)
        /// The server is stopped and started again.
        case deploy(deadline: Int)
    }

    /// When the last step happens at the latest, in milliseconds.
    static let length = 32_000
    /// The visitor whose events the endpoint refuses.
    static let refusedVisitor = "refused"

    let durability: Durability
    let batchSize: Int
    let queueCapacity: Int
    /// How long a ledger may fail before events go out without it, in milliseconds.
    let patience: Int
    let visitorCapacity: Int
    /// How often, in a hundred times, the answer of a ledger in a file is lost.
    let answerLoss: Int
    let refreshSeconds: Int
    let hasDecisionLog: Bool
    /// Whether the server runs mobile rules with a history in a file.
    let hasMessages: Bool
    /// Whether the network is still down when the server is stopped.
    let endsOffline: Bool
    /// Whether the server is killed once there is nothing left to do.
    let isKilledAtRest: Bool
    var steps: [Step]

    /// How many servers there are.
    var serverCount: Int { durability == .shared ? 2 : 1 }

    init(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 13 &+ 5)
        durability = generator.pick([
            .memory, .memory, .memory, .files, .files, .files, .synced, .synced, .shared, .shared,
        ])
        batchSize = generator.pick([1, 3, 10, 50])
        queueCapacity = generator.happens(70) ? 10_000 : generator.int(5...60)
        patience = generator.pick([200, 3000, 30_000, 30_000])
        visitorCapacity = durability.isDurable && generator.happens(30) ? 2 : 10_000
        answerLoss = generator.happens(60) ? 0 : generator.pick([2, 10, 30])
        refreshSeconds = generator.pick([0, 2, 10, 60])
        hasDecisionLog = generator.happens(30)
        endsOffline = generator.happens(20)
        isKilledAtRest = generator.happens(40)
        let visitors = (0..<generator.int(1...20)).map { "visitor-\($0)" }
        steps = []
        for _ in 0..<generator.int(10...70) {
            let isRefused = generator.happens(2)
            let visitor = isRefused ? Self.refusedVisitor : generator.pick(visitors)
            let time = generator.int(0...Self.length)
            // Now and then several requests of one visitor at once.
            repeat {
                let server = generator.int(0...1)
                steps.append(Step(time: time, server: server, action: Self.visit(visitor, steps.count, &generator)))
            } while generator.happens(25)
        }
        let trouble = generator.int(0...3)
        for _ in 0..<generator.int(0...trouble * 3) {
            let (time, server) = (generator.int(0...Self.length), generator.int(0...1))
            steps.append(Step(time: time, server: server, action: Self.trouble(durability, &generator)))
        }
        var others = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 17 &+ 11)
        hasMessages = (durability == .files || durability == .synced) && others.happens(25)
        for _ in 0..<(hasMessages ? others.int(5...40) : 0) {
            let message = Action.message(others.pick(Array(Messages.names)))
            steps.append(Step(time: others.int(0...Self.length), server: 0, action: message))
        }
        // As in a function that is frozen between requests.
        if others.happens(20) { steps = steps.map { Self.flushing($0, &others) } }
        steps.sort { $0.time < $1.time }
    }

    private static func visit(_ visitor: String, _ number: Int, _ generator: inout SeededGenerator) -> Action {
        let calls = (0..<generator.int(1...6)).map { index -> Call in
            switch generator.int(0...12) {
            case 0...3: .decide(experience: generator.pick(SampleConfig.experiences))
            case 4...5: .convert(goal: generator.pick(SampleConfig.goals), transaction: nil)
            case 6: .convert(goal: generator.pick(SampleConfig.goals), transaction: "t-\(number)-\(index)")
            case 7: .segment("s\(generator.int(1...3))")
            case 8...10: .persist(milliseconds: generator.pick([20, 500, 5000, 30_000]))
            default: .pause(milliseconds: generator.int(0...1500))
            }
        }
        return .visit(visitor: visitor, waits: generator.happens(60), calls: calls)
    }

    /// The same step, with a flush at the end of a visit.
    private static func flushing(_ step: Step, _ generator: inout SeededGenerator) -> Step {
        guard case .visit(let visitor, let waits, let calls) = step.action else { return step }
        let flush = Call.flush(microseconds: generator.int(0...2000))
        return Step(
            time: step.time, server: step.server,
            action: .visit(visitor: visitor, waits: waits, calls: calls + [flush]))
    }

    private static func trouble(_ durability: Durability, _ generator: inout SeededGenerator) -> Action {
        switch generator.int(0...11) {
        case 0...3: return .network(generator.pick(Peers.Health.allCases))
        case 4: return .config
        case 5: return .tracking(generator.happens(60))
        case 6: return .flush
        case 7: return .deploy(deadline: generator.int(0...8000))
        case 8: return .kill
        default:
            if durability == .memory { return generator.happens(50) ? .config : .network(.well) }
            if durability == .shared {
                return generator.happens(70)
                    ? .database(generator.pick(SharedDatabase.Health.allCases))
                    : .stall(milliseconds: generator.int(1000...20_000))
            }
            if generator.happens(50) { return .disk(generator.pick(Disk.Health.allCases)) }
            let end: Disk.End = durability == .synced && generator.happens(60) ? .powerFailure : .kill
            return .end(end, diskStep: generator.int(1...60))
        }
    }
}

extension Plan: CustomStringConvertible {
    /// All but the steps, in one line.
    var description: String {
        "\(durability), batches of \(batchSize), room for \(queueCapacity) events and \(visitorCapacity) visitors, "
            + "patience of \(patience) ms, \(answerLoss) % of answers lost, refreshed every \(refreshSeconds) s"
            + (hasDecisionLog ? ", decision log" : "") + (hasMessages ? ", messages" : "")
            + (endsOffline ? ", ends offline" : "")
            + (isKilledAtRest ? ", killed at rest" : "")
    }
}
