import ConvertConcurrency
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK
@testable import ConvertSwiftSDKCore

/// `VisitorRecords` beside a plain dictionary: contexts come and go, loads are late or fail, saves fail, visitors are
/// forgotten in memory, and what is claimed is claimed once.
@Suite(.timeLimit(.minutes(10)))
struct VisitorRecordsModelTests {
    /// A context, as far as records know of one.
    private struct Context {
        let key: String
        /// The load that it waits for.
        var load: Int?
        /// What the context knows, or did itself.
        var known = VisitorState()
    }

    /// A load that is under way.
    private struct Load {
        let number: Int
        /// What the store had when it was read, if it was.
        var answer: VisitorState??
        /// Decisions of contexts that know nothing, in order.
        var held: [VisitorClaim.Decision] = []
        var segments = VisitorState()
    }

    private struct Simulation {
        let store = GatedStore()
        let records: VisitorRecords
        var generator: SeededGenerator
        var contexts: [Context] = []
        var loads: [String: Load] = [:]
        /// What is true of each visitor.
        var model: [String: VisitorState] = [:]
        /// Whether memory holds all visitors, so that claims of others are always seen.
        let isRoomy: Bool
        var failures: [String] = []

        init(seed: Int, isRoomy: Bool) {
            generator = SeededGenerator(seed: seed)
            self.isRoomy = isRoomy
            records = VisitorRecords(
                capacity: isRoomy ? 1000 : 3, source: VisitorRecords.Source(store: store, journal: nil),
                surroundings: Surroundings(time: StepClock(), makeGenerator: { SeededGenerator(seed: 1) }),
                log: Diagnostics(logger: RecordingLogger(), level: .silent), hub: EventHub())
        }

        mutating func expect(_ condition: Bool, _ message: String) {
            if !condition { failures.append(message) }
        }

        mutating func step() async {
            switch generator.int(0...11) {
            case 0...1: open()
            case 2...3: await read()
            case 4...5: end()
            case 6...7: decide()
            case 8: trigger()
            case 9: segment()
            case 10: await records.flushSettled()
            default: store.isFailing.toggle()
            }
        }

        mutating func open() {
            let key = "v\(generator.int(0...7))"
            guard let (number, isNew) = records.join(PropertyKey(key)) else { return failures.append("no load") }
            expect(isNew == (loads[key] == nil), "one load of \(key) at a time")
            if isNew { loads[key] = Load(number: number) }
            contexts.append(Context(key: key, load: number))
        }

        /// The store reads a record, and its answer may take its time.
        mutating func read() async {
            guard let key = generator.pickKey(of: loads.filter { $0.value.answer == nil }) else { return }
            loads[key]?.answer = .some(try? await store.inner.load(key))
        }

        mutating func end() {
            guard let key = generator.pickKey(of: loads), let load = loads.removeValue(forKey: key) else { return }
            let isRead = load.answer != nil && !generator.happens(20)
            let answer: VisitorRecords.Answer = isRead ? .read(load.answer ?? nil) : .failed
            guard let record = records.endLoad(load.number, for: PropertyKey(key), with: answer) else {
                return failures.append("no load of \(key)")
            }
            let truth = model[key] ?? VisitorState()
            if isRead {
                var expected = truth
                for decision in load.held {
                    let stored = expected.bucketing?[decision.experience]
                    guard let variation = decision.variation, stored == nil || stored == decision.replaced else {
                        continue
                    }
                    expected.apply(.bucketing(experienceID: decision.experience, variationID: variation))
                }
                expected = expected.merging(load.segments)
                expect(record == expected, "\(key) is \(record), but \(expected)")
            }
            model[key] = truth.merging(record)
            for index in contexts.indices where contexts[index].load == load.number {
                contexts[index].known = contexts[index].known.merging(record)
                contexts[index].load = nil
            }
        }

        mutating func decide() {
            guard let index = pick({ _ in true }) else { return }
            let context = contexts[index]
            let (experience, variation) = (
                PropertyKey("e\(generator.int(0...3))"), JSValue.integer(generator.int(0...2))
            )
            let own = context.known.bucketing?[experience]
            if own == variation { return }
            // A forced one replaces what the context knows; another one is only made if there is none.
            if own != nil && !generator.happens(30) { return }
            let decision = VisitorClaim.Decision(experience: experience, variation: variation, replaced: own)
            var claim = VisitorClaim()
            claim.decisions = [decision]
            let change = VisitorStateChange.bucketing(experienceID: experience, variationID: variation)
            let commit = records.commit([change], claiming: claim, for: PropertyKey(context.key), during: context.load)
            let truth = model[context.key]?.bucketing?[experience]
            let isHeld = loads[context.key]?.held.contains { $0.experience == experience } ?? false
            if isRoomy && context.load == nil && !isHeld {
                if case .taken(let earlier) = commit {
                    expect(earlier.decisions.first?.variation == truth, "\(earlier)")
                } else {
                    expect(truth == nil || truth == own, "\(context.key) has \(truth ?? .null)")
                }
            }
            switch commit {
            case .taken(let earlier):
                for decision in earlier.decisions {
                    guard let variation = decision.variation else { continue }
                    contexts[index].known.apply(.bucketing(experienceID: experience, variationID: variation))
                }
            case .made(let keeper):
                contexts[index].known.apply(change)
                if let load = context.load {
                    expect(keeper == .load(load), "\(keeper)")
                    loads[context.key]?.held.append(decision)
                } else {
                    expect(keeper == .writer, "\(keeper)")
                    model[context.key, default: VisitorState()].apply(change)
                }
            }
        }

        /// Only contexts that know what is stored do, as conversions of others wait.
        mutating func trigger() {
            guard let index = pick({ $0.load == nil }) else { return }
            let context = contexts[index]
            let goal = PropertyKey("g\(generator.int(0...2))")
            if context.known.hasTriggered(goal) { return }
            var claim = VisitorClaim()
            claim.goals = [goal]
            let commit = records.commit([.goal(goal)], claiming: claim, for: PropertyKey(context.key))
            if isRoomy {
                let wasTriggered = model[context.key]?.hasTriggered(goal) ?? false
                expect((commit == .made(.writer)) != wasTriggered, "\(goal) of \(context.key)")
            }
            model[context.key, default: VisitorState()].apply(.goal(goal))
            contexts[index].known.apply(.goal(goal))
        }

        mutating func segment() {
            guard let index = pick({ _ in true }) else { return }
            let context = contexts[index]
            let change = VisitorStateChange.segments(["s\(generator.int(0...2))": .integer(generator.int(0...9))])
            _ = records.commit([change], claiming: VisitorClaim(), for: PropertyKey(context.key), during: context.load)
            if context.load == nil {
                model[context.key, default: VisitorState()].apply(change)
                contexts[index].known.apply(change)
            } else {
                loads[context.key]?.segments.apply(change)
            }
        }

        private mutating func pick(_ isWanted: (Context) -> Bool) -> Int? {
            let indices = contexts.indices.filter { isWanted(contexts[$0]) }
            return indices.isEmpty ? nil : generator.pick(indices)
        }

        /// Everything is settled and saved.
        mutating func finish() async {
            store.isFailing = false
            while !loads.isEmpty {
                await read()
                end()
            }
            while records.unsavedCount > 0 { await records.flush() }
            records.close()
        }
    }

    @Test(arguments: [true, false]) func recordsAreAsThePlainDictionarySays(isRoomy: Bool) async throws {
        for seed in 0..<caseCount(50) {
            var simulation = Simulation(seed: seed, isRoomy: isRoomy)
            for step in 0..<150 where simulation.failures.isEmpty {
                await simulation.step()
                if let failure = simulation.failures.first { Issue.record("seed \(seed), step \(step): \(failure)") }
            }
            if !simulation.failures.isEmpty { return }
            await simulation.finish()
            #expect(simulation.failures.isEmpty, "seed \(seed): \(simulation.failures)")
            for (key, truth) in simulation.model {
                let stored = try await simulation.store.inner.load(key) ?? VisitorState()
                #expect(stored == truth, "seed \(seed), \(key)")
            }
        }
    }
}

extension SeededGenerator {
    /// One of the keys, or `nil` if there is none.
    fileprivate mutating func pickKey<Value>(of dictionary: [String: Value]) -> String? {
        dictionary.isEmpty ? nil : pick(dictionary.keys.sorted())
    }
}

extension VisitorRecords {
    /// Writes what waits, without waiting for loads, which nothing would end meanwhile.
    fileprivate func flushSettled() async { await writer?.flush() }
}
