import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertTestSupport
import ConvertTransport
import Testing

@testable import ConvertSwiftSDK

/// Random calls by several contexts of few visitors, beside a plain dictionary. Commits fail and lose their answers,
/// records leave the memory, and SDKs follow each other. What calls answer and report, and what is stored, is what the
/// model says.
@Suite(.timeLimit(.minutes(10)))
struct ContextsModelTests {
    private struct Known {
        var decisions: [String: String] = [:]
        var goals: Set<String> = []
        var country: JSValue?
        /// Number of events that report it.
        var eventCount = 0
    }

    private struct Simulation {
        var random: SeededGenerator
        let disk = MemoryLedger()
        let clock = StepClock()
        let transport = ScriptedTransport(status: 200)
        let visitorCapacity: Int
        let hashed: [String: String]
        var ledger: ScriptedLedger
        var sdk: ConvertSDK
        var contexts: [ConvertContext] = []
        var known: [String: Known] = [:]
        var failures: [String] = []

        init(seed: Int, visitorCapacity: Int) throws {
            random = SeededGenerator(seed: seed)
            self.visitorCapacity = visitorCapacity
            hashed = try Dictionary(
                uniqueKeysWithValues: Self.visitors.map { ($0, try Fixture.variationID(of: $0) ?? "") })
            ledger = ScriptedLedger(disk)
            sdk = try Self.sdk(ledger, clock, transport, visitorCapacity)
        }

        static let visitors = (0..<5).map { "v\($0)" }

        static func sdk(
            _ ledger: ScriptedLedger, _ clock: StepClock, _ transport: ScriptedTransport, _ visitorCapacity: Int
        ) throws -> ConvertSDK {
            try Fixture.sdk(clock: clock, transport: transport) {
                $0.ledger = ledger
                $0.visitorCapacity = visitorCapacity
                $0.ledgerPatience = .seconds(100_000)
            }
        }

        mutating func expect(_ condition: Bool, _ what: String) {
            if !condition { failures.append(what) }
        }

        mutating func step() async throws {
            let context = contexts.randomElement(using: &random)
            switch random.int(0...19) {
            case 0...3:
                contexts.append(await sdk.loadContext(visitorID: random.pick(Self.visitors)))
                if contexts.count > 6 { contexts.remove(at: random.int(0...5)) }
            case 4...7: if let context { decide(context) }
            case 8...11: if let context { convert(context) }
            case 12, 13: if let context { setCountry(context) }
            case 14: ledger.fail([.commit], with: random.happens(50) ? Failure() : nil)
            case 15: ledger.losesAnswers = random.happens(50)
            case 16: clock.advance(by: .milliseconds(random.int(1...3000)))
            case 17: for _ in 0..<random.int(0...20) { await Task.yield() }
            case 18: if random.happens(20) { try await restart() }
            default: contexts.removeAll { _ in random.happens(20) }
            }
            for context in contexts { check(context) }
        }

        mutating func decide(_ context: ConvertContext) {
            let id = context.visitorID
            var options = DecisionOptions()
            options.forcedVariationID = random.happens(30) ? random.pick(["900", "901"]) : nil
            let expected = options.forcedVariationID ?? known[id]?.decisions["90"] ?? hashed[id] ?? ""
            let decided = context.decide("all", options: options).variation?.variationID
            expect(decided == expected, "\(id) is in \(decided ?? "none"), not in \(expected)")
            if known[id]?.decisions["90"] != expected { known[id, default: Known()].eventCount += 1 }
            known[id, default: Known()].decisions["90"] = expected
        }

        mutating func convert(_ context: ConvertContext) {
            let (id, hasValues) = (context.visitorID, random.happens(30))
            let isNew = known[id]?.goals.contains("purchase") != true
            var options = ConversionOptions()
            if hasValues { options = NumberedConversion.options(1) }
            let outcome = context.trackConversion("purchase", options: options)
            expect((outcome == .triggered) == (isNew || hasValues), "\(id) converted: \(outcome)")
            known[id, default: Known()].goals.insert("purchase")
            known[id, default: Known()].eventCount += (isNew ? 1 : 0) + (hasValues ? 1 : 0)
        }

        mutating func setCountry(_ context: ConvertContext) {
            let country = JSValue.integer(random.int(0...99))
            context.setDefaultSegments(["country": country])
            known[context.visitorID, default: Known()].country = country
        }

        mutating func check(_ context: ConvertContext) {
            let (data, model) = (context.visitorData, known[context.visitorID] ?? Known())
            let isEqual = Self.isEqual(data, model)
            expect(isEqual, "\(context.visitorID) knows \(data), not \(model)")
        }

        static func isEqual(_ record: VisitorState, _ model: Known) -> Bool {
            record.bucketing?["90"]?.stringValue == model.decisions["90"]
                && record.hasTriggered("purchase") == model.goals.contains("purchase")
                && record.segments?["country"] == model.country
        }

        /// Ends the process once everything is stored, and begins another one.
        mutating func restart() async throws {
            try await settle()
            ledger.fail()
            ledger = ScriptedLedger(disk)
            contexts = []
            sdk = try Self.sdk(ledger, clock, transport, visitorCapacity)
        }

        /// Lets everything be stored and delivered, and compares it with the model.
        mutating func settle() async throws {
            ledger.heal()
            ledger.losesAnswers = false
            let ticking = clock.tick(by: .milliseconds(200))
            defer { ticking.cancel() }
            let isOver = await eventually {
                let counts = await sdk.flush()
                // A process that ends before its ledger has removed what was delivered leaves it to be sent again.
                let isRemoved = await disk.eventCount == 0
                return counts.queued == 0 && sdk.ledgerStatus?.waitingEntries == 0 && isRemoved
            }
            let counts = sdk.deliveryCounts
            expect(isOver, "left: \(counts)")
            expect(counts.isComplete && counts.rejectedTotal == 0, "\(counts)")
            let sent = Dictionary(grouping: transport.events, by: \.visitor).mapValues(\.count)
            for id in Self.visitors {
                let model = known[id] ?? Known()
                let record = try await disk.record(id) ?? VisitorState()
                expect(Self.isEqual(record, model), "\(id) is stored as \(record), not as \(model)")
                expect(sent[id] ?? 0 == model.eventCount, "\(id) has \(sent[id] ?? 0) events, not \(model.eventCount)")
            }
        }
    }

    @Test(arguments: [1, 2, 10_000])
    func contextsAnswerReportAndStoreWhatTheModelSays(visitorCapacity: Int) async throws {
        for seed in 0..<caseCount(15, plain: 5) {
            var simulation = try Simulation(seed: seed, visitorCapacity: visitorCapacity)
            for _ in 0..<300 where simulation.failures.isEmpty { try await simulation.step() }
            if simulation.failures.isEmpty { try await simulation.settle() }
            guard simulation.failures.isEmpty else {
                Issue.record("seed \(seed): \(simulation.failures)")
                return
            }
        }
    }
}
