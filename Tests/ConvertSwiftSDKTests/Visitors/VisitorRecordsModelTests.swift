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
        var load: Int?
        /// What the store had when it was read, if it was.
        var answer: VisitorState??
        /// What the context knows.
        var known = VisitorState()
        /// Decisions that it made while it knew nothing.
        var held = VisitorState()
    }

    private struct Simulation {
        let store = GatedStore()
        let records: VisitorRecords
        var generator: SeededGenerator
        var contexts: [Context] = []
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
            case 4...5: settle()
            case 6...7: decide()
            case 8: trigger()
            case 9: segment()
            case 10: await records.flushSettled()
            default: store.isFailing.toggle()
            }
        }

        mutating func open() {
            let key = "v\(generator.int(0...7))"
            guard let load = records.beginLoad(key, opening: Latch()) else { return failures.append("no load") }
            contexts.append(Context(key: key, load: load))
        }

        /// The store reads a record, and its answer may take its time.
        mutating func read() async {
            guard let index = pick({ $0.load != nil && $0.answer == nil }) else { return }
            contexts[index].answer = .some(try? await store.inner.load(contexts[index].key))
        }

        mutating func settle() {
            guard let index = pick({ $0.answer != nil || $0.load != nil }) else { return }
            var context = contexts[index]
            guard let load = context.load else { return }
            let isRead = context.answer != nil && !generator.happens(20)
            let answer: VisitorRecords.Answer = isRead ? .read(context.answer ?? nil) : .failed
            let (known, changes) = records.settle(load, for: context.key, with: answer)
            let truth = model[context.key] ?? VisitorState()
            var held = context.held
            if isRead {
                expect(known == truth, "\(context.key) is \(known), but \(truth)")
                held.forgetDecisions(in: truth)
            } else {
                held.forgetDecisions(in: known)
            }
            expect(changes == held, "\(changes) of \(context.held) held")
            model[context.key] = truth.merging(held)
            context.known = known.merging(held)
            context.load = nil
            context.answer = nil
            contexts[index] = context
        }

        mutating func decide() {
            guard let index = pick({ _ in true }) else { return }
            let context = contexts[index]
            let (experience, variation) = (
                PropertyKey("e\(generator.int(0...3))"), JSValue.integer(generator.int(0...2))
            )
            let own = context.known.merging(context.held).bucketing?[experience]
            if own == variation { return }
            // A forced one replaces what the context knows; another one is only made if there is none.
            if own != nil && !generator.happens(30) { return }
            var claim = VisitorClaim()
            claim.decisions = [VisitorClaim.Decision(experience: experience, variation: variation, replaced: own)]
            let change = VisitorStateChange.bucketing(experienceID: experience, variationID: variation)
            let earlier = records.commit([change], claiming: claim, for: context.key, during: context.load)
            let truth = model[context.key]?.bucketing?[experience]
            if isRoomy && context.load == nil && !isHeldElsewhere(experience, of: context.key) {
                expect((earlier == nil) == (truth == nil || truth == own), "\(context.key) has \(truth ?? .null)")
                if let earlier { expect(earlier.decisions.first?.variation == truth, "\(earlier)") }
            }
            guard earlier == nil else {
                for decision in earlier?.decisions ?? [] {
                    guard let variation = decision.variation else { continue }
                    contexts[index].known.apply(.bucketing(experienceID: experience, variationID: variation))
                }
                return
            }
            if context.load == nil {
                model[context.key, default: VisitorState()].apply(change)
                contexts[index].known.apply(change)
            } else {
                contexts[index].held.apply(change)
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
            let earlier = records.commit([.goal(goal)], claiming: claim, for: context.key)
            if isRoomy {
                let wasTriggered = model[context.key]?.hasTriggered(goal) ?? false
                expect((earlier == nil) != wasTriggered, "\(goal) of \(context.key)")
            }
            model[context.key, default: VisitorState()].apply(.goal(goal))
            contexts[index].known.apply(.goal(goal))
        }

        mutating func segment() {
            guard let index = pick({ _ in true }) else { return }
            let context = contexts[index]
            let change = VisitorStateChange.segments(["s\(generator.int(0...2))": .integer(generator.int(0...9))])
            _ = records.commit([change], claiming: VisitorClaim(), for: context.key, during: context.load)
            if context.load == nil {
                model[context.key, default: VisitorState()].apply(change)
                contexts[index].known.apply(change)
            } else {
                contexts[index].held.apply(change)
            }
        }

        private func isHeldElsewhere(_ experience: PropertyKey, of key: String) -> Bool {
            contexts.contains { $0.key == key && $0.load != nil && $0.held.bucketing?[experience] != nil }
        }

        private mutating func pick(_ isWanted: (Context) -> Bool) -> Int? {
            let indices = contexts.indices.filter { isWanted(contexts[$0]) }
            return indices.isEmpty ? nil : generator.pick(indices)
        }

        /// Everything is settled and saved.
        mutating func end() async {
            store.isFailing = false
            while contexts.contains(where: { $0.load != nil }) {
                await read()
                settle()
            }
            while records.unsavedCount > 0 { await records.flush() }
            records.close()
        }
    }

    @Test(arguments: [true, false]) func recordsAreAsThePlainDictionarySays(isRoomy: Bool) async throws {
        for seed in 0..<150 {
            var simulation = Simulation(seed: seed, isRoomy: isRoomy)
            for step in 0..<150 where simulation.failures.isEmpty {
                await simulation.step()
                if let failure = simulation.failures.first { Issue.record("seed \(seed), step \(step): \(failure)") }
            }
            if !simulation.failures.isEmpty { return }
            await simulation.end()
            #expect(simulation.failures.isEmpty, "seed \(seed): \(simulation.failures)")
            for (key, truth) in simulation.model {
                let stored = try await simulation.store.inner.load(key) ?? VisitorState()
                #expect(stored == truth, "seed \(seed), \(key)")
            }
        }
    }
}

extension VisitorRecords {
    /// Writes what waits, without waiting for loads, which nothing would end meanwhile.
    fileprivate func flushSettled() async { await writer?.flush() }
}
