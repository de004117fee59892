import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK

struct WriteBehindTests {
    private func state(_ bucketing: JSObject) -> VisitorState {
        var state = VisitorState()
        for member in bucketing { state.apply(.bucketing(experienceID: member.key, variationID: member.value)) }
        return state
    }

    private func writeBehind(
        _ store: any VisitorStore, _ policy: WriteBehind.Policy, logger: RecordingLogger = RecordingLogger(),
        clock: StepClock = StepClock()
    ) -> WriteBehind {
        WriteBehind(
            store, policy: policy,
            surroundings: Surroundings(time: clock, makeGenerator: { SeededGenerator(seed: 1) }),
            log: Diagnostics(logger: logger, level: .warn), hub: EventHub())
    }

    @Test func thereIsRoomForSoManyVisitors() async throws {
        let store = GatedStore()
        var policy = WriteBehind.Policy()
        policy.capacity = 2
        let writing = writeBehind(store, policy)
        let taken = ["a", "b", "c", "a", "d"].map { key in
            writing.add(WriteBehind.Unsaved(changes: state(["1": .string(key)])), for: PropertyKey(key))
        }
        #expect(taken == [true, true, false, true, false])
        #expect(writing.unsavedCount() == 2 && !writing.hasRoom)
        await writing.flush()
        #expect(Set(store.savedKeys) == ["a", "b"])
        #expect(writing.unsavedCount() == 0 && writing.hasRoom)
    }

    @Test func aFlushWaitsForAStoreThatHangsNoLongerThanOneRoundOfCalls() async throws {
        let (store, clock) = (GatedStore(), StepClock())
        var policy = WriteBehind.Policy()
        policy.concurrency = 2
        // No further pass begins meanwhile, however far the clock goes.
        policy.interval = .seconds(1 << 40)
        let writing = writeBehind(store, policy, clock: clock)
        for number in 0..<20 {
            _ = writing.add(
                WriteBehind.Unsaved(changes: state(["1": .integer(number)])), for: PropertyKey("v\(number)"))
        }
        let saves = Latch()
        store.holdSaves(until: saves)
        async let flushed: Void = writing.flush()
        #expect(await eventually { store.savesBegun == 2 && clock.isAwaited(in: .seconds(10)) })
        // The second call may set its deadline later than the first.
        let isOver = Latch()
        let stepping = Task {
            while !isOver.isOpen {
                clock.advance(by: .seconds(10))
                await Task.yield()
            }
        }
        await flushed
        isOver.open()
        await stepping.value
        #expect(store.savesBegun <= 4 && writing.unsavedCount() == 20)
        saves.open()
    }

    @Test func changesThatComeWhileSavesFailDoNotShortenThePause() async throws {
        let (store, clock, saves) = (GatedStore(), StepClock(), Latch())
        var policy = WriteBehind.Policy()
        policy.backoff = Backoff(first: .seconds(1000), longest: .seconds(1000))
        let writing = writeBehind(store, policy, clock: clock)
        store.holdSaves(until: saves)
        store.isFailing = true
        _ = writing.add(WriteBehind.Unsaved(changes: state(["1": 1])), for: "v1")
        async let flushed: Void = writing.flush()
        #expect(await eventually { store.savesBegun == 1 })
        _ = writing.add(WriteBehind.Unsaved(changes: state(["1": 1])), for: "v2")
        #expect(await eventually { clock.isAwaited(in: policy.interval) })
        saves.open()
        await flushed
        // Beyond what the failed call's time was.
        clock.advance(by: policy.timeout)
        #expect(await eventually { clock.nextDeadline.map { $0 > clock.now + .seconds(10) } ?? false })
        #expect(store.savesBegun == 1)
    }

    @Test func aBatchOfVisitorsDoesNotWaitForTheInterval() async throws {
        let store = GatedStore()
        var policy = WriteBehind.Policy()
        policy.batchSize = 3
        let writing = writeBehind(store, policy)
        for round in 0..<5 {
            for key in ["a\(round)", "b\(round)", "b\(round)", "c\(round)"] {
                let unsaved = WriteBehind.Unsaved(changes: state(["1": .string(key)]))
                #expect(writing.add(unsaved, for: PropertyKey(key)))
            }
            #expect(await eventually { store.savedKeys.count == 3 * (round + 1) })
        }
    }

    /// Adds a change of the visitor.
    private func add(_ key: String, to writing: WriteBehind) -> Bool {
        writing.add(WriteBehind.Unsaved(changes: state(["1": 1])), for: PropertyKey(key))
    }

    @Test func aVisitorWhoCannotBeSavedHoldsUpNobodyElse() async throws {
        let (store, clock) = (GatedStore(), StepClock())
        let writing = writeBehind(PatchyStore(inner: store, unwritable: "v0"), WriteBehind.Policy(), clock: clock)
        #expect(add("v0", to: writing))
        for number in 1...50 {
            #expect(add("v\(number)", to: writing))
            let start = clock.now
            #expect(
                await eventually {
                    clock.advance(by: .milliseconds(100))
                    return store.savedKeys.count == number
                })
            #expect(number == 1 || clock.now - start < .seconds(10), "the store is well")
        }
        #expect(await eventually { writing.unsavedCount() == 1 })
    }

    @Test func aVisitorWhoCouldNotBeSavedIsTriedAgainLessAndLessOften() async throws {
        let (store, clock) = (CountingStore(), StepClock())
        let writing = writeBehind(store, WriteBehind.Policy(), clock: clock)
        #expect(add("v0", to: writing) && add("v1", to: writing))
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(100))
                return store.count == 1 && writing.unsavedCount() == 1
            })
        let end = clock.now + .seconds(3600)
        #expect(
            await eventually {
                if let next = clock.nextDeadline { clock.advance(by: max(.milliseconds(1), next - clock.now)) }
                return clock.now >= end
            })
        // A wait is half a minute on average, once it has grown.
        #expect(store.count > 10 && store.count < 400)
        store.isBroken.store(false, ordering: .relaxed)
        #expect(
            await eventually {
                clock.advance(by: .seconds(60))
                return writing.unsavedCount() == 0
            })
    }

    /// A store that cannot save one visitor, and counts how often it was to.
    private final class CountingStore: VisitorStore {
        let isBroken = Atomic(true)
        private let calls = Atomic(0)

        var count: Int { calls.load(ordering: .relaxed) }

        func load(_ key: String) async throws -> VisitorState? { nil }

        func save(_ changes: VisitorState, for key: String) async throws {
            if key != "v0" { return }
            calls.wrappingAdd(1, ordering: .relaxed)
            if isBroken.load(ordering: .relaxed) { throw Failure() }
        }
    }

    @Test func aStoreThatSavesNobodyIsGivenItsPause() async throws {
        let (store, clock) = (GatedStore(), StepClock())
        var policy = WriteBehind.Policy()
        policy.backoff = Backoff(first: .seconds(1000), longest: .seconds(1000))
        let writing = writeBehind(store, policy, clock: clock)
        store.isFailing = true
        #expect(add("v0", to: writing))
        #expect(
            await eventually {
                if store.savesBegun == 0 { clock.advance(by: .milliseconds(100)) }
                return store.savesBegun == 1
            })
        // Beyond what the failed call's time was.
        clock.advance(by: policy.timeout)
        #expect(await eventually { clock.nextDeadline.map { $0 > clock.now + .seconds(10) } ?? false })
        store.isFailing = false
        #expect(add("v1", to: writing))
        clock.advance(by: .seconds(10))
        for _ in 0..<100 { await Task.yield() }
        #expect(store.savesBegun == 1)
        await writing.flush()
        #expect(Set(store.savedKeys) == ["v0", "v1"])
    }
}
