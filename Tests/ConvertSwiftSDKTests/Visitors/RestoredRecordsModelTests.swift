import ConvertConcurrency
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK
@testable import ConvertSwiftSDKCore

/// Records whose claims go through a journal, beside a plain dictionary: the journal fails and catches up, few visitors may wait
/// for the store, saves fail, and processes end without a word. What the journal acknowledged comes to the same always.
@Suite(.timeLimit(.minutes(10)))
struct RestoredRecordsModelTests {
    /// What outlives a process.
    private final class Disk: Sendable {
        struct State {
            var records: [String: VisitorState] = [:]
            var isFailing = false
            /// Whether records cannot be read.
            var isUnreadable = false
            /// The process that may use it.
            var owner = 0
        }

        let state = Mutex(State())
        let journal = ListJournal()

        /// Runs `body` if the process has not ended.
        func use<Result: Sendable>(by process: Int, _ body: (inout State) throws -> Result) throws -> Result {
            try state.withLock { state in
                if state.owner != process { throw Failure() }
                return try body(&state)
            }
        }
    }

    /// The store as one process has it, whose saves can fail.
    private struct Store: VisitorStore {
        let disk: Disk
        let process: Int

        func load(_ key: String) async throws -> VisitorState? {
            try disk.use(by: process) { state in
                if state.isUnreadable { throw Failure() }
                return state.records[key]
            }
        }

        func save(_ changes: VisitorState, for key: String) async throws {
            try disk.use(by: process) { state in
                if state.isFailing { throw Failure() }
                state.records[key] = (state.records[key] ?? VisitorState()).merging(changes)
            }
        }
    }

    /// What a context knows; loads end on other threads.
    private final class Context: RecordAdopter {
        let key: String
        private let state = Mutex((load: Int?.none, known: VisitorState()))

        var load: Int? { state.withLock { $0.load } }
        var known: VisitorState { state.withLock { $0.known } }

        init(key: String, in records: VisitorRecords) {
            self.key = key
            let waiter = RecordWaiter(adopter: self, end: Latch())
            // It may end at once, and is adopted then after this.
            state.withLock { $0.load = records.load(PropertyKey(key), for: waiter) }
        }

        func adopt(_ record: VisitorState) {
            state.withLock { state in
                state.known = state.known.merging(record)
                state.load = nil
            }
        }

        func learn(_ change: VisitorStateChange) { state.withLock { $0.known.apply(change) } }
    }

    private struct Simulation {
        let disk = Disk()
        let clock = StepClock()
        var records: VisitorRecords
        var generator: SeededGenerator
        var contexts: [Context] = []
        /// Claims that the journal has not been asked about yet, and those that it could not take.
        var announced: [KeyedClaim] = []
        var late: [KeyedClaim] = []
        var model: [String: VisitorState] = [:]
        var nextVariation = 0
        var failures: [String] = []
        /// Whether loads fail too. Then visitors count as new, and only that nothing gets lost is promised.
        let hasFailingLoads: Bool

        init(seed: Int, hasFailingLoads: Bool) {
            self.hasFailingLoads = hasFailingLoads
            generator = SeededGenerator(seed: seed)
            records = Self.start(on: disk, clock)
        }

        /// A new process, from whose start on the one before can do nothing any more.
        private static func start(on disk: Disk, _ clock: StepClock) -> VisitorRecords {
            let process = disk.state.withLock { state in
                state.owner += 1
                return state.owner
            }
            var source = VisitorRecords.Source(store: Store(disk: disk, process: process), journal: disk.journal)
            source.policy.capacity = 3
            let records = VisitorRecords(
                capacity: 1000, source: source,
                surroundings: Surroundings(time: clock, makeGenerator: { SeededGenerator(seed: 1) }),
                log: Diagnostics(logger: RecordingLogger(), level: .silent), hub: EventHub(),
                forget: { ids in
                    let ids = Set(ids)
                    try? disk.use(by: process) { _ in
                        disk.journal.state.withLock { $0.entries.removeAll { ids.contains($0.id) } }
                    }
                })
            records.restore()
            return records
        }

        private func setFailing(_ isFailing: Bool, _ isUnreadable: Bool) {
            disk.state.withLock { ($0.isFailing, $0.isUnreadable) = (isFailing, isUnreadable) }
        }

        mutating func expect(_ condition: Bool, _ message: String) {
            if !condition { failures.append(message) }
        }

        /// As `expect`, of what holds as long as records can be read.
        private mutating func expectIfReadable(_ condition: Bool, _ message: String) {
            if !hasFailingLoads { expect(condition, message) }
        }

        mutating func step() async {
            switch generator.int(0...13) {
            case 0...2: contexts.append(Context(key: "v\(generator.int(0...11))", in: records))
            case 3...5: decide()
            case 6...7: trigger()
            case 8...9: answer()
            case 10: catchUp()
            case 11: await records.writer?.flush()
            case 12: setFailing(generator.happens(50), hasFailingLoads && generator.happens(50))
            default: if generator.happens(15) { await restart() }
            }
            // Loads end while other things happen.
            for _ in 0..<generator.int(0...3) { await Task.yield() }
        }

        mutating func decide() {
            guard !contexts.isEmpty else { return }
            let context = generator.pick(contexts)
            let experience = PropertyKey("e\(generator.int(0...3))")
            let load = context.load
            let own = context.known.bucketing?[experience]
            // Nobody is forced back to where they were.
            nextVariation += 1
            let variation = JSValue.integer(nextVariation)
            var claim = VisitorClaim()
            claim.decisions = [VisitorClaim.Decision(experience: experience, variation: variation, replaced: own)]
            let change = VisitorStateChange.bucketing(experienceID: experience, variationID: variation)
            switch records.commit(
                [change], claiming: claim, for: PropertyKey(context.key), during: load, isAnnounced: true)
            {
            case .taken(let earlier):
                for decision in earlier.decisions {
                    guard let variation = decision.variation else { continue }
                    context.learn(.bucketing(experienceID: experience, variationID: variation))
                }
            case .made(let keeper):
                context.learn(change)
                announced.append(KeyedClaim(key: PropertyKey(context.key), claim: claim, keeper: keeper))
                // While a record is loaded, nobody who knows it can decide for an experience that is held.
                let truth = model[context.key]?.bucketing?[experience]
                if truth == nil || truth == own { model[context.key, default: VisitorState()].apply(change) }
            }
        }

        mutating func trigger() {
            guard let context = contexts.isEmpty ? nil : generator.pick(contexts), context.load == nil else { return }
            let goal = PropertyKey("g\(generator.int(0...2))")
            let wasTriggered = model[context.key]?.hasTriggered(goal) ?? false
            if context.known.hasTriggered(goal) {
                return expectIfReadable(wasTriggered, "\(context.key) did not trigger \(goal)")
            }
            var claim = VisitorClaim()
            claim.goals = [goal]
            let commit = records.commit(
                [.goal(goal)], claiming: claim, for: PropertyKey(context.key), isAnnounced: true)
            if case .made(let keeper) = commit {
                expectIfReadable(!wasTriggered, "\(goal) of \(context.key) counts twice")
                announced.append(KeyedClaim(key: PropertyKey(context.key), claim: claim, keeper: keeper))
            } else {
                expectIfReadable(wasTriggered, "\(goal) of \(context.key) does not count")
            }
            model[context.key, default: VisitorState()].apply(.goal(goal))
            context.learn(.goal(goal))
        }

        /// The journal answers for the oldest of the claims, or cannot; then it is offered no others before it has caught up.
        mutating func answer(failing: Bool? = nil) {
            guard !announced.isEmpty else { return }
            let claim = announced.removeFirst()
            if !late.isEmpty || failing ?? generator.happens(30) {
                records.didJournal(claim, as: nil)
                late.append(claim)
            } else {
                records.didJournal(claim, as: append(claim))
            }
        }

        mutating func catchUp() {
            for claim in late { if let row = append(claim) { records.didJournalLate(claim, as: row) } }
            late = []
        }

        private func append(_ claim: KeyedClaim) -> Int64? {
            guard let row = TrackedCall([], claiming: claim).rows.first else { return nil }
            return try? disk.journal.append([row]).first
        }

        /// The process ends without a word, once the journal has everything, and maybe again while it starts.
        mutating func restart() async {
            while !announced.isEmpty { answer(failing: false) }
            catchUp()
            contexts = []
            if !hasFailingLoads { setFailing(false, false) }
            for _ in 0..<generator.int(1...3) {
                records.close()
                records = Self.start(on: disk, clock)
                for _ in 0..<generator.int(0...20) { await Task.yield() }
            }
            if !hasFailingLoads { await takeOver() }
        }

        /// Waits until nothing is in the journal only.
        mutating func takeOver() async {
            let records = records
            let clock = clock
            let isOver = await eventually {
                clock.advance(by: .seconds(60))
                return records.state.withLock { $0.spilledFrom == nil && $0.restoring == nil && $0.restoredCount == 0 }
            }
            expect(isOver, "rows are left in the journal")
        }

        /// Everything is settled and saved.
        mutating func finish() async {
            while !announced.isEmpty { answer() }
            catchUp()
            setFailing(false, false)
            await takeOver()
            // A clock that goes on would make loads fail.
            let (records, clock, contexts) = (records, clock, contexts)
            expect(await eventually { contexts.allSatisfy { $0.load == nil } }, "a load does not end")
            // A flush waits for the clock too, until a load that waits for it has failed.
            let ticking = Task {
                while !Task.isCancelled {
                    clock.advance(by: .seconds(1))
                    try? await Task.sleep(for: .milliseconds(2))
                }
            }
            defer { ticking.cancel() }
            let isSaved = await eventually {
                clock.advance(by: .seconds(60))
                await records.flush()
                return records.unsavedCount == 0
            }
            expect(isSaved, "\(records.unsavedCount) visitors are not saved")
            expect(disk.journal.count == 0, "\(disk.journal.count) rows are left")
            records.close()
        }
    }

    @Test(arguments: [false, true]) func recordsComeToTheSameThroughTheJournal(hasFailingLoads: Bool) async {
        for seed in 0..<caseCount(hasFailingLoads ? 20 : 40) {
            var simulation = Simulation(seed: seed, hasFailingLoads: hasFailingLoads)
            for step in 0..<200 where simulation.failures.isEmpty {
                await simulation.step()
                if let failure = simulation.failures.first { Issue.record("seed \(seed), step \(step): \(failure)") }
            }
            if !simulation.failures.isEmpty { return }
            await simulation.finish()
            #expect(simulation.failures.isEmpty, "seed \(seed): \(simulation.failures)")
            for (key, truth) in simulation.model {
                let stored = simulation.disk.state.withLock { $0.records[key] } ?? VisitorState()
                if hasFailingLoads {
                    for name in truth.bucketing?.members.map(\.key) ?? [] {
                        #expect(stored.bucketing?[name] != nil, "seed \(seed), \(key): \(name) is lost")
                    }
                    for goal in truth.goals?.members.map(\.key) ?? [] {
                        #expect(stored.hasTriggered(goal), "seed \(seed), \(key): \(goal) is lost")
                    }
                } else {
                    #expect(stored.bucketing == truth.bucketing, "seed \(seed), \(key)")
                    #expect(stored.goals == truth.goals, "seed \(seed), \(key)")
                }
            }
        }
    }
}
