import ConvertTestSupport
import ConvertTestServer
import ConvertConcurrency
import Testing

@testable import ConvertSwiftSDK

/// What the SDK promises a visitor store, and what it does about one that never answers.
@Suite(.timeLimit(.minutes(10)))
struct StorePromiseTests {
    /// A store that counts its calls, by key, and lets each wait for a gate.
    private final class CountingStore: VisitorStore {
        private struct State {
            var saving: [String: Int] = [:]
            var most = 0
            var saves: [VisitorState] = []
            var loads = 0
        }

        let (saveGate, loadGate) = (Latch(), Latch())
        private let state = Mutex(State())

        /// The most calls of `save` for one key at a time.
        var mostAtOnce: Int { state.withLock { $0.most } }

        var saves: [VisitorState] { state.withLock { $0.saves } }

        var loads: Int { state.withLock { $0.loads } }

        func load(_ key: String) async throws -> VisitorState? {
            state.withLock { $0.loads += 1 }
            // Deaf to cancellation.
            _ = await Task.detached { [loadGate] in await loadGate.wait() }.value
            return nil
        }

        func save(_ changes: VisitorState, for key: String) async throws {
            state.withLock { state in
                state.saves.append(changes)
                state.saving[key, default: 0] += 1
                state.most = max(state.most, state.saving[key] ?? 0)
            }
            _ = await Task.detached { [saveGate] in await saveGate.wait() }.value
            state.withLock { $0.saving[key]? -= 1 }
        }
    }

    @Test func oneSaveOfAVisitorRunsAtATimeThoughTheLastOneWasGivenUp() async throws {
        let (store, clock) = (CountingStore(), StepClock())
        store.loadGate.open()
        let sdk = try Fixture.sdk(clock: clock) { $0.visitorStore = store }
        let context = await sdk.loadContext(visitorID: "v1")
        context.setDefaultSegments(["country": "US"])
        clock.advance(by: .seconds(1))
        #expect(await eventually { store.saves.count == 1 && clock.isAwaited(in: .seconds(10)) })
        context.setDefaultSegments(["country": "FR"])
        // It is given up, and the changes are due again and again.
        for _ in 0..<20 {
            clock.advance(by: .seconds(10))
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(store.saves.count == 1 && sdk.engine.records.unsavedCount == 1)
        store.saveGate.open()
        #expect(
            await eventually {
                clock.advance(by: .seconds(60))
                return sdk.engine.records.unsavedCount == 0
            })
        #expect(store.mostAtOnce == 1)
        let countries = store.saves.map { $0.segments?["country"] }
        #expect(countries.first == "US" && countries.count > 1)
        #expect(countries.dropFirst().allSatisfy { $0 == "FR" }, "what was given up is merged into what came later")
    }

    @Test func noMoreVisitorsWaitThanAreAllowedThoughASaveIsUnderWay() async throws {
        let (store, clock) = (CountingStore(), StepClock())
        store.loadGate.open()
        let sdk = try Fixture.sdk(clock: clock) {
            $0.visitorStore = store
            $0.storeQueueCapacity = 10
        }
        for number in 0..<10 { await sdk.loadContext(visitorID: "v\(number)").selectVariation("all") }
        clock.advance(by: .seconds(1))
        #expect(await eventually { store.saves.count == 10 })
        // Of those who are being saved more may come, of others none.
        for number in 5..<20 { await sdk.loadContext(visitorID: "v\(number)").trackConversion("purchase") }
        let writer = try #require(sdk.engine.records.writer)
        #expect(writer.unsavedCount() == 10)
        #expect(sdk.engine.records.unsavedCount == 20, "those for whom there was no room count too")
        store.saveGate.open()
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return writer.unsavedCount() == 0
            })
        #expect(store.saves.count == 15)
    }

    @Test func savesOfAVisitorKeepTheirOrderWhileManyFlush() async throws {
        let store = CountingStore()
        store.loadGate.open()
        store.saveGate.open()
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        let context = await sdk.loadContext(visitorID: "v1")
        for round in 0..<50 {
            context.updateVisitorProperties(["n": .integer(round)])
            async let first = sdk.flush()
            async let second = sdk.flush()
            _ = await (first, second)
        }
        #expect(store.mostAtOnce == 1)
        #expect(store.saves.compactMap { $0.segments?["n"]?.numberValue } == (0..<50).map(Double.init))
    }

    @Test func loadsThatNeverReturnAreBoundedAndDecisionsGoOn() async throws {
        let (store, clock, logger) = (CountingStore(), StepClock(), RecordingLogger())
        let sdk = try Fixture.sdk(clock: clock) {
            $0.visitorStore = store
            $0.storeLoadLimit = 10
            $0.logger = logger
        }
        let contexts = (0..<10).map { sdk.createContext(visitorID: "v\($0)") }
        #expect(await eventually { store.loads == 10 })
        // They are given up, and still there.
        let isOver = Latch()
        let waiting = Task {
            for context in contexts { await context.waitUntilLoaded(atMost: .seconds(86_400)) }
            isOver.open()
        }
        // A load may set its deadline only after the store was called.
        #expect(
            await eventually {
                clock.advance(by: .seconds(10))
                return isOver.isOpen
            })
        await waiting.value
        for number in 10..<100 {
            let context = await sdk.loadContext(visitorID: "v\(number)")
            #expect(context.selectVariation("all") != nil)
        }
        #expect(store.loads == 10)
        #expect(logger.warnings.count { $0.contains("loads of the visitor store are under way") } == 1)
        store.loadGate.open()
        #expect(
            await eventuallyAsync {
                _ = await sdk.loadContext(visitorID: "later")
                return store.loads > 10
            })
        store.saveGate.open()
        await sdk.flush()
        #expect(store.saves.count == 90)
    }
}
