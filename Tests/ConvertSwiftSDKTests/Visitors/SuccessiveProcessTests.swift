import ConvertConcurrency
import ConvertECMAScript
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK
@testable import ConvertSwiftSDKCore

/// Whole SDKs one after the other on one journal and store, which are late, refuse and hang; each ends by a shutdown or without
/// a word. What outlives them checks at every removal that nothing is forgotten too early.
@Suite(.timeLimit(.minutes(10)))
struct SuccessiveProcessTests {
    private final class Simulation {
        let disk = SimulatedDisk()
        let clock = StepClock()
        var generator: SeededGenerator
        let isRoomy: Bool
        /// Whether so few visitors may wait for the store that the journal alone keeps many claims.
        let isSpilling: Bool
        var sdk: ConvertSDK?
        var contexts: [ConvertContext] = []
        var failures: [String] = []
        var nextTag = 0
        /// Whose goal a transaction counts.
        var pairs: [String: String] = [:]
        var truth: [String: String] = [:]
        var uncertain: Set<String> = []
        var heldTime = Duration.zero
        var trace: [String] = []

        init(seed: Int, isRoomy: Bool, isSpilling: Bool) throws {
            self.isSpilling = isSpilling
            generator = SeededGenerator(seed: seed)
            self.isRoomy = isRoomy
            try start()
        }

        func start() throws {
            let (number, disk) = disk.state.withLock { state in
                state.owner += 1
                state.deliveredNow = []
                return (state.owner, self.disk)
            }
            let process = SimulatedProcess(disk: disk, number: number)
            let transport = ScriptedTransport { request, _ in
                let tags = Transactions.tags(of: request.body ?? Data())
                let status = try disk.use(by: number) { state in
                    if state.status == 200 {
                        for tag in tags {
                            if !state.deliveredNow.insert(tag).inserted {
                                state.failures.append("\(tag) is delivered twice by one process")
                            }
                            state.delivered[tag, default: 0] += 1
                        }
                    }
                    return state.status
                }
                return HTTPResponse(status: status)
            }
            sdk = try Fixture.sdk(clock: clock, transport: transport) {
                $0.journal = process
                $0.visitorStore = process
                if isSpilling { $0.storeQueueCapacity = 2 }
                if !isRoomy {
                    $0.queueCapacity = 12
                    $0.batchSize = 5
                }
            }
            uncertain = []
            contexts = []
        }

        func step() async throws {
            guard let sdk else { return }
            switch generator.int(0...19) {
            case 0...3: contexts.append(sdk.createContext(visitorID: visitor()))
            case 4...6: if let context = contexts.randomElement(using: &generator) { convert(context) }
            case 7...8: contexts.randomElement(using: &generator)?.selectVariation("all")
            case 9...11: await fresh()
            case 12:
                disk.state.withLock { state in
                    state.appendFails = generator.happens(30)
                    state.removeFails = generator.happens(30)
                    state.saveFails = generator.happens(30)
                    state.status = generator.happens(50) ? 200 : 500
                }
            case 13: hold()
            case 14: await release()
            case 15: await advance(by: .milliseconds(generator.int(1...3000)))
            case 16: holdSaves(generator.happens(50))
            case 17: Task { await sdk.flush() }
            case 18: if generator.happens(30) { await kill() }
            default: if generator.happens(30) { await end() }
            }
            for _ in 0..<generator.int(0...5) { await Task.yield() }
            check()
        }

        func check() {
            failures += disk.state.withLock { state in
                defer { state.failures = [] }
                return state.failures
            }
            guard let counts = sdk?.deliveryCounts else { return }
            let sum = counts.delivered + counts.queued + counts.rejectedTotal
            if counts.accepted + counts.restored != sum { failures.append("\(counts)") }
            if isRoomy && counts.rejectedTotal > 0 { failures.append("\(counts)") }
        }

        func visitor() -> String { "v\(generator.int(0...20))" }

        func convert(_ context: ConvertContext) {
            let goal = "purchase"
            nextTag += 1
            let tag = "\(nextTag)"
            pairs[tag] = "\(context.visitorID) \(goal)"
            let outcome = context.trackConversion(goal, revenue: 1, transactionID: "tx-\(tag)")
            trace.append("\(context.visitorID) \(tag) \(outcome)")
        }

        /// A context that knows the record: it is as the last one said.
        func fresh() async {
            await release()
            guard let sdk else { return }
            let context = sdk.createContext(visitorID: visitor())
            await context.waitUntilLoaded(atMost: .seconds(86_400))
            let id = context.selectVariation("all")?.variationID
            let known = truth[context.visitorID]
            if let known, known != id {
                failures.append("\(context.visitorID) was in \(known), is in \(id ?? "none")")
            }
            truth[context.visitorID] = id
            if isSpilling ? known == nil : generator.happens(40) {
                let forced = generator.happens(50) ? "900" : "901"
                truth[context.visitorID] =
                    context.selectVariation("all", options: .with { $0.forcedVariationID = forced })?.variationID
            }
            trace.append("\(context.visitorID) in \(truth[context.visitorID] ?? "none"), was \(known ?? "none")")
            if sdk.engine.delivery.appending.withLock({ $0.isFailing }) { uncertain.insert(context.visitorID) }
            if generator.happens(50) { convert(context) }
            contexts.append(context)
            if contexts.count > 12 { contexts.removeFirst() }
        }

        func hold() {
            disk.state.withLock { state in
                if state.isHeld { return }
                state.isHeld = true
                state.gate = Latch()
                heldTime = .zero
            }
        }

        func release() async {
            disk.state.withLock { state in
                state.isHeld = false
                state.gate.open()
            }
            await quiesce()
        }

        func holdSaves(_ isHeld: Bool) {
            disk.state.withLock { state in
                if state.savesHeld == isHeld { return }
                state.savesHeld = isHeld
                if isHeld { state.saveGate = Latch() } else { state.saveGate.open() }
            }
        }

        /// Waits until no load is under way: a clock that goes on would make it fail.
        func quiesce() async {
            guard let records = sdk?.engine.records else { return }
            let isOver = await eventually {
                records.isRestored.isOpen && records.memory.collect { $1.load }.isEmpty
                    && records.state.withLock { $0.loadCount == 0 }
            }
            if !isOver { failures.append("a load does not end") }
        }

        func advance(by step: Duration) async {
            if disk.state.withLock({ $0.isHeld }) {
                if heldTime + step > .seconds(8) { return }
                heldTime += step
            } else {
                await quiesce()
            }
            clock.advance(by: step)
        }

        func kill() async {
            trace.append("kill")
            for visitor in uncertain { truth[visitor] = nil }
            disk.state.withLock { state in
                state.owner += 1
                state.isHeld = false
                state.gate.open()
                state.savesHeld = false
                state.saveGate.open()
            }
            do { try start() } catch { failures.append("\(error)") }
        }

        func end() async {
            await release()
            guard let sdk else { return }
            let ticking = Task { [clock] in
                while !Task.isCancelled {
                    clock.advance(by: .milliseconds(200))
                    try? await Task.sleep(for: .milliseconds(1))
                }
            }
            let contexts = contexts
            let count = generator.int(0...5)
            let first = nextTag
            for _ in 0..<count {
                nextTag += 1
                pairs["\(nextTag)"] = "\(contexts.first?.visitorID ?? "") purchase"
            }
            // One who tracks meanwhile.
            let late = Task {
                for index in 0..<count {
                    await Task.yield()
                    contexts.first?.trackConversion("purchase", revenue: 1, transactionID: "tx-\(first + index + 1)")
                }
            }
            let report = await sdk.shutdown(deadline: .seconds(generator.int(0...20)))
            await late.value
            ticking.cancel()
            await ticking.value
            trace.append("end \(report)")
            if isRoomy {
                let shutDown = sdk.deliveryCounts.rejected[.shutDown] ?? 0
                if sdk.deliveryCounts.rejectedTotal != shutDown { failures.append("\(sdk.deliveryCounts)") }
            }
            await kill()
        }

        func finish() async {
            disk.state.withLock { state in
                (state.appendFails, state.removeFails, state.saveFails, state.status) = (false, false, false, 200)
            }
            holdSaves(false)
            await release()
            guard let sdk else { return }
            let records = sdk.engine.records
            let isOver = await eventually {
                await quiesce()
                clock.advance(by: .seconds(5))
                await sdk.flush()
                return sdk.deliveryCounts.queued == 0
                    && records.unsavedCount == records.state.withLock { $0.lost }
                    && disk.state.withLock { $0.entries.isEmpty }
            }
            check()
            let state = disk.state.withLock { $0 }
            if !isOver { failures.append("left: \(sdk.deliveryCounts), \(state.entries.count) rows") }
            for tag in state.acked where state.delivered[tag] == nil { failures.append("\(tag) is lost") }
            let counted = Dictionary(grouping: state.acked) { pairs[$0] ?? "" }
            for (pair, tags) in counted where tags.count > 1 { failures.append("\(pair) counts as \(tags)") }
        }
    }

    @Test(arguments: [true, false], [true, false])
    func processesThatFollowEachOtherKeepWhatWasTaken(isRoomy: Bool, isSpilling: Bool) async throws {
        for seed in 0..<caseCount(10) {
            let simulation = try Simulation(seed: seed, isRoomy: isRoomy, isSpilling: isSpilling)
            for _ in 0..<150 where simulation.failures.isEmpty { try await simulation.step() }
            if simulation.failures.isEmpty { await simulation.finish() }
            if !simulation.failures.isEmpty {
                let trace = simulation.trace.suffix(60).joined(separator: "\n")
                Issue.record("seed \(seed) \(isRoomy) \(isSpilling): \(simulation.failures)\n\(trace)")
                return
            }
        }
    }
}
