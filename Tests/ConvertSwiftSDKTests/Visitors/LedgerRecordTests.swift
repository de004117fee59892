import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDK

/// What contexts know about a visitor with a record in a ledger.
@Suite(.timeLimit(.minutes(10)))
struct LedgerRecordTests {
    @Test func aLoadedContextStartsWithWhatIsStored() async throws {
        let ledger = MemoryLedger()
        try await ledger.put(#"{"bucketing":{"90":"901"}}"#, of: "v1")
        let context = await (try Fixture.sdk { $0.ledger = ledger }).loadContext(visitorID: "v1")
        #expect(context.decide("all").variation?.source == .stored)
        #expect(context.decide("all").variation?.variationID == "901")
    }

    @Test func aVisitorsRecordIsPrintedAsJSON() async throws {
        let ledger = MemoryLedger()
        let record = #"{"bucketing":{"90":"901"},"locations":["cart"],"segments":{"country":"DE"},"goals":{"g":true}}"#
        try await ledger.put(record, of: "v1")
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        #expect("\(await sdk.loadContext(visitorID: "v1").visitorData)" == record)
        #expect("\(VisitorState())" == "{}")
    }

    @Test func loadsThatAShutdownGivesUpAreNotLogged() async throws {
        let (clock, ledger, logger) = (StepClock(), ScriptedLedger(), RecordingLogger())
        let loads = ledger.hold(.visitor)
        let sdk = try Fixture.sdk(clock: clock) {
            ($0.ledger, $0.logger) = (ledger, logger)
        }
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.trackConversion("purchase") == .deferred)
        let isLoading = await eventually {
            clock.advance(by: .milliseconds(5))
            return ledger.count(.visitor) == 1
        }
        let ticking = clock.tick(by: .milliseconds(10))
        await sdk.shutdown(deadline: .seconds(1))
        ticking.cancel()
        #expect(isLoading)
        #expect(!logger.warnings.contains { $0.contains("cannot be read from the ledger") }, "\(logger.warnings)")
        loads.open()
    }

    @Test func decisionsDoNotWaitAndStoredOnesWinWhenTheyArrive() async throws {
        // The clock stands still, so that no call of the ledger is given up, however late its turn comes.
        let (clock, ledger, arm) = (StepClock(), ScriptedLedger(), try Fixture.variationID(of: "v1"))
        // Nothing is being stored when the record arrives: that would hold it up.
        let (loads, commits) = (ledger.hold(.visitor), ledger.hold(.begin))
        let other = arm == "900" ? "901" : "900"
        try await ledger.disk.put(
            #"{"bucketing":{"90":"\#(other)"},"segments":{"country":"DE","source":"mail"}}"#, of: "v1")
        let sdk = try Fixture.sdk(clock: clock) { $0.ledger = ledger }
        let context = sdk.createContext(visitorID: "v1", attributes: ["country": "US", "plan": "pro"])
        #expect(context.decide("all").variation?.variationID == arm)
        #expect(context.decide("pros").variation != nil)
        loads.open()
        await context.waitUntilLoaded(atMost: .seconds(5))
        #expect(context.decide("all").variation?.variationID == other)
        commits.open()
        try await context.persisted()
        let stored = try await ledger.disk.record("v1")
        #expect(stored?.bucketing == ["90": .string(other), "91": "910"])
        #expect(stored?.segments == ["country": "US", "source": "mail"])
        #expect(context.visitorData == stored)
        #expect(sdk.deliveryCounts.rejected == [.countedElsewhere: 1])
    }

    @Test(arguments: [false, true])
    func changesThatWaitForTheLedgerAreNewerThanWhatItHas(isShared: Bool) async throws {
        let ledger = ScriptedLedger(isShared: isShared)
        try await ledger.disk.put(
            #"{"bucketing":{"90":"901"},"segments":{"country":"DE","source":"mail"}}"#, of: "v1")
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        let commits = ledger.hold(.commit)
        let first = await sdk.loadContext(visitorID: "v1")
        first.setDefaultSegments(["country": "US"])
        #expect(await eventually { ledger.count(.commit) == 1 })
        let next = sdk.createContext(visitorID: "v1")
        #expect(next.visitorData.segments == ["country": "US", "source": "mail"])
        commits.open()
        await next.waitUntilLoaded(atMost: .seconds(5))
        try await first.persisted()
        #expect(next.visitorData.segments == ["country": "US", "source": "mail"])
        #expect(try await ledger.disk.record("v1") == next.visitorData)
    }

    /// Values of one segment that are written one after the other, and what is left of them.
    static let writes: [(values: [JSValue], left: JSValue)] = [
        ([["a", "a"]], ["a", "a"]), ([["a"], "b", ["c"]], ["c"]), ([["a"], ["b", "b"]], ["b", "a"]),
        ([["a"], "b", ["c", "c"]], ["c", "c"]), (["a", ["b"], "c", ["d"], ["e"]], ["e", "d"]),
        ([["k": ["a"]], ["k": "b"], ["k": ["c"]]], ["k": ["c"]]),
    ]

    @Test(arguments: writes.indices, 0..<8)
    func segmentsAreMergedOnceForEachWriteWheneverTheyAreStored(row: Int, pauses: Int) async throws {
        let (values, left) = Self.writes[row]
        let ledger = ScriptedLedger(isShared: true)
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        for (index, value) in values.enumerated() {
            // Each from a context of its own, whose record is loaded.
            let context = await sdk.loadContext(visitorID: "v1")
            context.setDefaultSegments(["country": value])
            if pauses & 1 << index != 0 { try await context.persisted() }
        }
        let last = await sdk.loadContext(visitorID: "v1")
        #expect(last.visitorData.segments == ["country": left])
        await sdk.flush()
        #expect(try await ledger.disk.record("v1")?.segments == ["country": left])
    }

    @Test(arguments: writes.indices)
    func segmentsOfAContextThatIsStillLoadingAreMergedOnceForEachWrite(row: Int) async throws {
        let (values, left) = Self.writes[row]
        let ledger = ScriptedLedger()
        var stored = VisitorState()
        stored.apply(.segments(["country": values[0]]))
        _ = try await ledger.disk.commit([LedgerEntry(visitor: "10-20-v1", changes: VisitorChanges(stored))])
        let loads = ledger.hold(.visitor)
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        let context = sdk.createContext(visitorID: "v1")
        for value in values.dropFirst() { context.setDefaultSegments(["country": value]) }
        loads.open()
        await context.waitUntilLoaded(atMost: .seconds(5))
        #expect(context.visitorData.segments == ["country": left])
        try await context.persisted()
        #expect(try await ledger.disk.record("v1")?.segments == ["country": left])
    }

    @Test func aLedgerThatFailsChangesNoDecisionAndIsTriedAgain() async throws {
        let (ledger, logger, clock) = (ScriptedLedger(), RecordingLogger(), StepClock())
        ledger.fail()
        let sdk = try Fixture.sdk(clock: clock) {
            $0.ledger = ledger
            $0.logger = logger
        }
        for index in 0..<20 {
            let context = await sdk.loadContext(visitorID: "v\(index)", attributes: ["plan": "pro"])
            #expect(context.decide("pros").variation != nil)
        }
        #expect(sdk.ledgerStatus?.waitingEntries == 20)
        ledger.heal()
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(100))
                return sdk.ledgerStatus?.waitingEntries == 0
            })
        for index in 0..<20 { #expect(try await ledger.disk.record("v\(index)")?.bucketing == ["91": "910"]) }
        #expect(logger.warnings.count { $0.contains("the ledger fails") } == 1)
        #expect(logger.warnings.count { $0.contains("cannot be read") } >= 1)
    }

    @Test func aLedgerThatNeverAnswersHoldsUpAContextForItsTimeoutOnly() async throws {
        let (ledger, clock) = (ScriptedLedger(), StepClock())
        let loads = ledger.hold(.visitor)
        let sdk = try Fixture.sdk(clock: clock) { $0.ledger = ledger }
        async let context = sdk.loadContext(visitorID: "v1")
        #expect(await eventually { clock.isAwaited(in: .seconds(1)) })
        clock.advance(by: .seconds(1))
        #expect(await context.decide("all").variation != nil)
        loads.open()
    }

    @Test(arguments: [false, true])
    func aSlowLoadOverwritesNoNewerChangesOfTheVisitorsOtherContexts(isFailing: Bool) async throws {
        let ledger = ScriptedLedger(isShared: true)
        try await ledger.disk.put(#"{"bucketing":{"90":"901"},"segments":{"country":"DE"}}"#, of: "v1")
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        let other = await sdk.loadContext(visitorID: "v1")
        let answers = ledger.holdAnswers(of: .visitor)
        let slow = sdk.createContext(visitorID: "v1")
        #expect(await eventually { ledger.doneCount(.visitor) == 2 })
        other.setDefaultSegments(["country": "US"])
        #expect(other.trackConversion("purchase") == .deferred)
        #expect(await eventually { sdk.ledgerStatus?.waitingEntries == 0 })
        slow.setDefaultSegments(["source": "mail"])
        if isFailing { ledger.fail([.visitor]) }
        answers.open()
        await slow.waitUntilLoaded(atMost: .seconds(5))
        for context in [slow, sdk.createContext(visitorID: "v1")] {
            #expect(context.visitorData.segments == ["country": "US", "source": "mail"])
            #expect(context.visitorData.bucketing == ["90": "901"])
            #expect(context.visitorData.goals == ["purchase": true])
        }
    }

    @Test func memoryTakesOverWhatOtherProcessesStored() async throws {
        let ledger = ScriptedLedger(isShared: true)
        try await ledger.disk.put(#"{"bucketing":{"90":"901"},"segments":{"country":"DE"}}"#, of: "v1")
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        let early = await sdk.loadContext(visitorID: "v1")
        try await ledger.disk.put(#"{"bucketing":{"90":"900"},"segments":{"country":"US"}}"#, of: "v1")
        let stored = try await ledger.disk.record("v1")
        #expect(await sdk.loadContext(visitorID: "v1").visitorData == stored)
        #expect(early.visitorData == stored, "a visitor has one record")
    }

    @Test(arguments: [(false, 1), (true, 2)])
    func oneLoadServesAllContextsOfAVisitor(isShared: Bool, loadCount: Int) async throws {
        let ledger = ScriptedLedger(isShared: isShared)
        try await ledger.disk.put(#"{"bucketing":{"90":"901"}}"#, of: "v1")
        let loads = ledger.hold(.visitor)
        let sdk = try Fixture.sdk { $0.ledger = ledger }
        let contexts = (0..<100).map { _ in sdk.createContext(visitorID: "v1") }
        loads.open()
        for context in contexts { await context.waitUntilLoaded(atMost: .seconds(5)) }
        #expect(ledger.count(.visitor) == 1)
        for context in contexts { #expect(context.decide("all").variation?.variationID == "901") }
        _ = await sdk.loadContext(visitorID: "v1")
        #expect(ledger.count(.visitor) == loadCount)
    }

    @Test func loadsThatNeverReturnAreBoundedAndDecisionsGoOn() async throws {
        let (ledger, clock, logger) = (ScriptedLedger(), StepClock(), RecordingLogger())
        let loads = ledger.hold(.visitor)
        let sdk = try Fixture.sdk(clock: clock) {
            $0.ledger = ledger
            $0.loadLimit = 10
            $0.logger = logger
        }
        let contexts = (0..<10).map { sdk.createContext(visitorID: "v\($0)") }
        #expect(await eventually { ledger.count(.visitor) == 10 })
        // They are given up, and still there. A load may set its deadline only after the ledger was called.
        let ticking = clock.tick(by: .seconds(10))
        for context in contexts { await context.waitUntilLoaded(atMost: .seconds(1 << 30)) }
        ticking.cancel()
        for number in 10..<100 {
            #expect(await sdk.loadContext(visitorID: "v\(number)").decide("all").variation != nil)
        }
        #expect(ledger.count(.visitor) == 10)
        #expect(logger.warnings.count { $0.contains("10 visitors' records are being loaded") } == 1)
        loads.open()
        #expect(
            await eventually {
                _ = await sdk.loadContext(visitorID: "later")
                return ledger.count(.visitor) > 10
            })
        #expect(await eventually { (try? await ledger.disk.record("v99")) != nil })
    }

    @Test func theLateAnswerToALoadThatWasGivenUpDoesNotCountForTheNextOne() async throws {
        let (ledger, clock) = (ScriptedLedger(), StepClock())
        let sdk = try Fixture.sdk(clock: clock) {
            $0.ledger = ledger
            $0.loadLimit = 2
        }
        let early = ledger.holdAnswers(of: .visitor)
        let first = sdk.createContext(visitorID: "v1")
        #expect(await eventually { ledger.doneCount(.visitor) == 1 })
        let ticking = clock.tick(by: .seconds(10))
        await first.waitUntilLoaded(atMost: .seconds(1 << 30))
        ticking.cancel()
        try await ledger.disk.put(#"{"bucketing":{"90":"901"}}"#, of: "v1")
        let late = ledger.holdAnswers(of: .visitor)
        let second = sdk.createContext(visitorID: "v1")
        #expect(await eventually { ledger.doneCount(.visitor) == 2 })
        early.open()
        // There is room for a further load once the first call has returned.
        #expect(
            await eventually {
                _ = sdk.createContext(visitorID: "v2")
                return ledger.count(.visitor) == 3
            })
        late.open()
        await second.waitUntilLoaded(atMost: .seconds(1 << 30))
        #expect(second.visitorData.bucketing == ["90": "901"])
    }

    @Test func theLeastRecentlyUsedVisitorLeavesALedgerInMemory() async throws {
        let ledger = MemoryLedger(visitorCapacity: 3)
        for visitor in ["a", "b", "c"] { try await ledger.put(#"{"bucketing":{"1":"\#(visitor)"}}"#, of: visitor) }
        _ = try await ledger.record("a")
        try await ledger.put(#"{"bucketing":{"1":"d"}}"#, of: "d")
        #expect(try await ledger.record("b") == nil)
        #expect(try await ledger.record("a")?.bucketing == ["1": "a"])
        #expect(try await ledger.record("d")?.bucketing == ["1": "d"])
    }

    @Test func mergingTwiceIsMergingOnce() {
        var generator = SeededGenerator(seed: 9)
        func random() -> VisitorState {
            var state = VisitorState()
            for _ in 0..<generator.int(0...4) {
                let name = PropertyKey("k\(generator.int(0...2))")
                let value = JSValue.integer(generator.int(0...2))
                switch generator.int(0...3) {
                case 0: state.apply(.bucketing(experienceID: name, variationID: value))
                case 1: state.apply(.goal(name))
                case 2: state.apply(.locations([name.name]))
                default: state.apply(.segments([name.name: generator.happens(50) ? value : [value]]))
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
