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
    }

    /// What an app asks of a context.
    enum Call {
        case decide(experience: String)
        case convert(goal: String, transaction: String?)
        case segment(String)
        case pause(milliseconds: Int)
    }

    /// Something that happens at a time.
    struct Step {
        /// Milliseconds since the seed began.
        let time: Int
        let action: Action
    }

    enum Action {
        /// A visitor comes. A context that waits for the record sees it.
        case visit(visitor: String, waits: Bool, calls: [Call])
        case network(Peers.Health)
        case disk(Disk.Health)
        case config
        case tracking(Bool)
        case flush
        /// The process ends at the disk's next step but so many.
        case end(Disk.End, diskStep: Int)
        /// The process ends now.
        case kill
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
    let storeQueueCapacity: Int
    let refreshSeconds: Int
    let hasDecisionLog: Bool
    /// Whether the network is still down when the server is stopped.
    let endsOffline: Bool
    /// Whether the server is killed once there is nothing left to do.
    let isKilledAtRest: Bool
    var steps: [Step]

    /// Whether the changes of all visitors find room while they cannot be saved. Others are dropped, and counted.
    var hasRoomForVisitors: Bool { storeQueueCapacity == 10_000 }

    init(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 13 &+ 5)
        durability = generator.happens(60) ? .memory : generator.happens(70) ? .files : .synced
        batchSize = generator.pick([1, 3, 10, 50])
        queueCapacity = generator.happens(70) ? 10_000 : generator.int(5...60)
        storeQueueCapacity = generator.happens(70) ? 10_000 : generator.int(2...10)
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
                steps.append(Step(time: time, action: Self.visit(visitor, steps.count, &generator)))
            } while generator.happens(25)
        }
        let trouble = generator.int(0...3)
        for _ in 0..<generator.int(0...trouble * 3) {
            let time = generator.int(0...Self.length)
            steps.append(Step(time: time, action: Self.trouble(durability, &generator)))
        }
        steps.sort { $0.time < $1.time }
    }

    private static func visit(_ visitor: String, _ number: Int, _ generator: inout SeededGenerator) -> Action {
        let calls = (0..<generator.int(1...6)).map { index -> Call in
            switch generator.int(0...9) {
            case 0...3: .decide(experience: generator.pick(SampleConfig.experiences))
            case 4...5: .convert(goal: generator.pick(SampleConfig.goals), transaction: nil)
            case 6: .convert(goal: generator.pick(SampleConfig.goals), transaction: "t-\(number)-\(index)")
            case 7: .segment("s\(generator.int(1...3))")
            default: .pause(milliseconds: generator.int(0...1500))
            }
        }
        return .visit(visitor: visitor, waits: generator.happens(60), calls: calls)
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
            if generator.happens(50) { return .disk(generator.pick(Disk.Health.allCases)) }
            let end: Disk.End = durability == .synced && generator.happens(60) ? .powerFailure : .kill
            return .end(end, diskStep: generator.int(1...60))
        }
    }
}
