import ConvertConcurrency
import ConvertTestSupport
import ConvertTestServer
import Testing

@testable import ConvertSwiftSDK

struct VisitorStoreTests {
    private func state(_ bucketing: JSObject, segments: JSObject? = nil) -> VisitorState {
        var state = VisitorState()
        for member in bucketing { state.apply(.bucketing(experienceID: member.key, variationID: member.value)) }
        if let segments { state.apply(.segments(segments)) }
        return state
    }

    @Test func aLoadedContextStartsWithWhatIsStored() async throws {
        let store = GatedStore()
        try await store.save(state(["90": "901"]), for: "10-20-v1")
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        let context = await sdk.loadContext(visitorID: "v1")
        #expect(context.selectVariation("all")?.source == .stored)
        #expect(context.selectVariation("all")?.variationID == "901")
    }

    @Test func decisionsDoNotWaitAndStoredOnesWinWhenTheyArrive() async throws {
        let store = GatedStore(isOpen: false)
        let arm = try Fixture.sdk().createContext(visitorID: "v1").selectVariation("all")?.variationID
        let other = arm == "900" ? "901" : "900"
        try await store.inner.save(
            state(["90": .string(other)], segments: ["country": "DE", "source": "mail"]), for: "10-20-v1")
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        let context = sdk.createContext(visitorID: "v1", attributes: ["country": "US", "plan": "pro"])
        #expect(context.selectVariation("all")?.variationID == arm)
        #expect(context.selectVariation("pros") != nil)
        store.loads.open()
        await context.waitUntilLoaded(atMost: .seconds(5))
        #expect(context.selectVariation("all")?.variationID == other)
        await sdk.flush()
        let stored = try await store.inner.load("10-20-v1")
        #expect(stored?.bucketing == ["90": .string(other), "91": "910"])
        #expect(stored?.segments == ["country": "US", "source": "mail"])
        #expect(context.visitorData == stored)
    }

    @Test func changesThatWaitForTheStoreAreNewerThanWhatItHas() async throws {
        let store = GatedStore()
        try await store.save(state(["90": "901"], segments: ["country": "DE", "source": "mail"]), for: "10-20-v1")
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        await sdk.loadContext(visitorID: "v1").setDefaultSegments(["country": "US"])
        let next = await sdk.loadContext(visitorID: "v1")
        #expect(next.visitorData.segments == ["country": "US", "source": "mail"])
        // While they are being saved as well.
        let saves = Latch()
        store.holdSaves(until: saves)
        async let flushed = sdk.flush()
        #expect(await eventually { store.savesBegun == 2 })
        #expect(await sdk.loadContext(visitorID: "v1").visitorData == next.visitorData)
        saves.open()
        _ = await flushed
        #expect(try await store.inner.load("10-20-v1") == next.visitorData)
    }

    /// Values of one segment that are written one after the other, and what is left of them.
    static let writes: [(values: [JSValue], left: JSValue)] = [
        ([["a", "a"]], ["a", "a"]), ([["a"], "b", ["c"]], ["c"]), ([["a"], ["b", "b"]], ["b", "a"]),
        ([["a"], "b", ["c", "c"]], ["c", "c"]), (["a", ["b"], "c", ["d"], ["e"]], ["e", "d"]),
        ([["k": ["a"]], ["k": "b"], ["k": ["c"]]], ["k": ["c"]]),
    ]

    @Test(arguments: writes.indices, 0..<8)
    func segmentsAreMergedOnceForEachWriteWheneverTheyAreSaved(row: Int, flushes: Int) async throws {
        let (values, left) = Self.writes[row]
        let store = GatedStore()
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        for (index, value) in values.enumerated() {
            // Each from a context of its own, whose record is loaded.
            let context = await sdk.loadContext(visitorID: "v1")
            context.setDefaultSegments(["country": value])
            if flushes & 1 << index != 0 { await sdk.flush() }
        }
        let last = await sdk.loadContext(visitorID: "v1")
        #expect(last.visitorData.segments == ["country": left])
        await sdk.flush()
        #expect(try await store.inner.load("10-20-v1")?.segments == ["country": left])
    }

    @Test(arguments: writes.indices)
    func segmentsOfAContextThatIsStillLoadingAreMergedOnceForEachWrite(row: Int) async throws {
        let (values, left) = Self.writes[row]
        let store = GatedStore(isOpen: false)
        try await store.inner.save(state([:], segments: ["country": values[0]]), for: "10-20-v1")
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        let context = sdk.createContext(visitorID: "v1")
        for value in values.dropFirst() { context.setDefaultSegments(["country": value]) }
        store.loads.open()
        await context.waitUntilLoaded(atMost: .seconds(5))
        #expect(context.visitorData.segments == ["country": left])
        await sdk.flush()
        #expect(try await store.inner.load("10-20-v1")?.segments == ["country": left])
    }

    @Test func aStoreThatFailsChangesNoDecisionAndIsTriedAgain() async throws {
        let store = GatedStore()
        store.isFailing = true
        let logger = RecordingLogger()
        let clock = StepClock()
        let sdk = try Fixture.sdk(clock: clock) {
            $0.visitorStore = store
            $0.logger = logger
        }
        for index in 0..<20 {
            let context = await sdk.loadContext(visitorID: "v\(index)", attributes: ["plan": "pro"])
            #expect(context.selectVariation("pros") != nil)
        }
        await sdk.flush()
        #expect(sdk.engine.records.unsavedCount == 20)
        store.isFailing = false
        #expect(await eventually { clock.nextDeadline != nil })
        for _ in 0..<5 { clock.advance(by: .seconds(60)) }
        #expect(await eventually { store.savedKeys.count == 20 })
        #expect(logger.warnings.count { $0.contains("could not be saved") } == 1)
        #expect(logger.warnings.count { $0.contains("cannot be read") } == 1)
    }

    @Test func changesOfOneVisitorAreSavedTogether() async throws {
        let store = GatedStore()
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        let context = await sdk.loadContext(visitorID: "v1", attributes: ["plan": "pro"])
        context.selectVariations()
        context.trackConversion("purchase")
        context.setDefaultSegments(["country": "US"])
        await sdk.flush()
        #expect(store.savedKeys == ["10-20-v1"])
        #expect(try await store.inner.load("10-20-v1") == context.visitorData)
    }

    @Test func aStoreThatNeverAnswersHoldsUpAContextForItsTimeoutOnly() async throws {
        let store = GatedStore(isOpen: false)
        let clock = StepClock()
        let sdk = try Fixture.sdk(clock: clock) { $0.visitorStore = store }
        async let context = sdk.loadContext(visitorID: "v1")
        #expect(await eventually { clock.nextDeadline == .seconds(1) })
        clock.advance(by: .seconds(1))
        #expect(await context.selectVariation("all") != nil)
        store.loads.open()
    }

    @Test(arguments: [false, true])
    func aSlowLoadOverwritesNoNewerChangesOfTheVisitorsOtherContexts(isFailing: Bool) async throws {
        let store = GatedStore()
        try await store.inner.save(state(["90": "901"], segments: ["country": "DE"]), for: "10-20-v1")
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        let other = await sdk.loadContext(visitorID: "v1")
        let answers = Latch()
        store.holdAnswers(until: answers)
        let slow = sdk.createContext(visitorID: "v1")
        #expect(await eventually { store.recordsRead == 2 })
        other.setDefaultSegments(["country": "US"])
        other.trackConversion("purchase")
        await sdk.flush()
        slow.setDefaultSegments(["source": "mail"])
        store.isFailing = isFailing
        answers.open()
        await slow.waitUntilLoaded(atMost: .seconds(5))
        for context in [slow, sdk.createContext(visitorID: "v1")] {
            #expect(context.visitorData.segments == ["country": "US", "source": "mail"])
            #expect(context.visitorData.bucketing == ["90": "901"])
            #expect(context.trackConversion("purchase") != .triggered)
        }
    }

    @Test func memoryTakesOverWhatOtherProcessesStored() async throws {
        let store = GatedStore()
        try await store.inner.save(state(["90": "901"], segments: ["country": "DE"]), for: "10-20-v1")
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        _ = await sdk.loadContext(visitorID: "v1")
        try await store.inner.save(state(["90": "900"], segments: ["country": "US"]), for: "10-20-v1")
        let stored = try await store.inner.load("10-20-v1")
        #expect(await sdk.loadContext(visitorID: "v1").visitorData == stored)
        #expect(sdk.engine.records.memory.record("10-20-v1") == stored)
    }

    private func records(_ store: any VisitorStore, clock: StepClock = StepClock()) -> VisitorRecords {
        VisitorRecords(
            capacity: 100, source: VisitorRecords.Source(store: store, journal: nil),
            surroundings: Surroundings(time: clock, makeGenerator: { SeededGenerator(seed: 1) }),
            log: Diagnostics(logger: RecordingLogger(), level: .warn), hub: EventHub())
    }

    /// Decides for a visitor, as a context does.
    @discardableResult
    private func decide(_ key: String, in records: VisitorRecords, during load: Int? = nil) -> VisitorRecords.Commit {
        var claim = VisitorClaim()
        claim.decisions = [VisitorClaim.Decision(experience: "1", variation: .string(key))]
        return records.commit(
            [.bucketing(experienceID: "1", variationID: .string(key))], claiming: claim, for: PropertyKey(key),
            during: load)
    }

    @Test func aFlushWritesWhatIsHeldBackWhenItComesAndTheRestAtOnce() async throws {
        let store = GatedStore()
        let records = records(store)
        #expect(decide("a", in: records) == .made(.writer))
        let loads = ["b", "c"].map { ($0, records.join(PropertyKey($0))?.number ?? 0) }
        for (key, load) in loads { #expect(decide(key, in: records, during: load) == .made(.load(load))) }
        #expect(records.unsavedCount == 3)
        async let flushed = records.flush()
        #expect(await eventually { store.savedKeys == ["a"] })
        for (key, load) in loads {
            #expect(!store.savedKeys.contains(key))
            records.endLoad(load, for: PropertyKey(key), with: .read(nil))
            #expect(await eventually { store.savedKeys.last == key })
        }
        #expect(await flushed)
        #expect(records.unsavedCount == 0)
    }

    @Test func aFlushWaitsForChangesHeldBackNoLongerThanALoadMayTake() async throws {
        let clock = StepClock()
        let records = records(GatedStore(), clock: clock)
        decide("a", in: records, during: records.join("a")?.number)
        async let flushed = records.flush()
        #expect(await eventually { clock.nextDeadline == .seconds(10) })
        clock.advance(by: .seconds(10))
        _ = await flushed
        #expect(records.unsavedCount == 1)
    }

    @Test func oneLoadServesAllContextsOfAVisitor() async throws {
        let store = GatedStore(isOpen: false)
        try await store.inner.save(state(["90": "901"]), for: "10-20-v1")
        let sdk = try Fixture.sdk { $0.visitorStore = store }
        let contexts = (0..<100).map { _ in sdk.createContext(visitorID: "v1") }
        store.loads.open()
        for context in contexts { await context.waitUntilLoaded(atMost: .seconds(5)) }
        #expect(store.recordsRead == 1)
        for context in contexts { #expect(context.selectVariation("all")?.variationID == "901") }
        _ = await sdk.loadContext(visitorID: "v1")
        #expect(store.recordsRead == 2)
    }

    @Test func aMemoryStoreGivesUpTheLeastRecentlyUsed() async throws {
        let store = InMemoryVisitorStore(capacity: 3)
        for key in ["a", "b", "c"] { try await store.save(state(["1": .string(key)]), for: key) }
        _ = try await store.load("a")
        try await store.save(state(["1": "d"]), for: "d")
        #expect(try await store.load("b") == nil)
        #expect(try await store.load("a")?.bucketing == ["1": "a"])
        #expect(try await store.load("d")?.bucketing == ["1": "d"])
    }

    @Test func recentlyUsedKeepsToItsModel() {
        var generator = SeededGenerator(seed: 5)
        var table = RecentlyUsed<Int>(capacity: 8)
        var model: [(key: String, value: Int)] = []
        for step in 0..<20_000 {
            let key = String(Int.random(in: 0..<20, using: &generator))
            let index = model.firstIndex { $0.key == key }
            if Bool.random(using: &generator) {
                #expect(table.value(of: PropertyKey(key)) == index.map { model[$0].value }, "step \(step)")
                if let index { model.insert(model.remove(at: index), at: 0) }
            } else {
                table.set(step, for: PropertyKey(key))
                if let index { model.remove(at: index) }
                model.insert((key, step), at: 0)
                if model.count > 8 { model.removeLast() }
            }
        }
    }

    @Test func mergingTwiceIsMergingOnce() {
        var generator = SeededGenerator(seed: 9)
        func random() -> VisitorState {
            var state = VisitorState()
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let name = PropertyKey("k\(Int.random(in: 0..<3, using: &generator))")
                let value = JSValue.integer(Int.random(in: 0..<3, using: &generator))
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: state.apply(.bucketing(experienceID: name, variationID: value))
                case 1: state.apply(.goal(name))
                case 2: state.apply(.locations([name.name]))
                default: state.apply(.segments([name.name: Bool.random(using: &generator) ? value : [value]]))
                }
            }
            return state
        }
        for _ in 0..<2000 {
            let (stored, changes) = (random(), random())
            let once = stored.merging(changes)
            #expect(once.merging(changes) == once)
            #expect(VisitorState().merging(changes) == changes)
            #expect(stored.merging(VisitorState()) == stored)
        }
    }
}
