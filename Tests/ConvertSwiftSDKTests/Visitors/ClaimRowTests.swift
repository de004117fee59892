import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// Where a claim's row goes in the journal: it stays until the store has what the claim changed.
@Suite(.timeLimit(.minutes(10)))
struct ClaimRowTests {
    private let journal = ListJournal()
    private let store = GatedStore()

    private func records(capacity: Int = 1) -> VisitorRecords {
        var source = VisitorRecords.Source(store: store, journal: journal)
        source.policy.capacity = capacity
        return VisitorRecords(
            capacity: 100, source: source,
            surroundings: Surroundings(time: StepClock(), makeGenerator: { SeededGenerator(seed: 1) }),
            log: Diagnostics(logger: RecordingLogger(), level: .silent), hub: EventHub(),
            forget: { [journal] ids in
                journal.state.withLock { $0.entries.removeAll { ids.contains($0.id) } }
            })
    }

    /// What a client sent may be as deep as JSON is read, and lies deeper in what is written around it.
    @Test func theDeepestValuesThatAreReadAreReadBack() throws {
        let depth = ConfigLimits.depth - 1
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let attributes = try #require(try JSValue(json: Data(#"{"country":\#(text)}"#.utf8)).objectValue)
        var state = VisitorState()
        state.apply(.segments(attributes))
        let record = Data(ECMAScript.jsonText(of: .object(["segments": .object(attributes)])).utf8)
        #expect(try VisitorState(json: record) == state)
        let goalData: [JSValue] = [["key": "amount", "value": attributes["country"] ?? .null]]
        let goal = try #require(try Fixture.config().goals.first).id
        let event = QueuedEvent(
            destination: TrackingDestination(sdkKey: "key", accountID: "1", projectID: "2"), visitorID: "v",
            segments: attributes,
            content: .tracked(.conversion(goalID: goal, goalData: .array(goalData), bucketing: nil)))
        let row = TrackedCall([event], claiming: nil).rows[0]
        guard case .event(let read) = JournalRow(JournaledEvent(id: 1, record: row)) else {
            Issue.record("the row is no event")
            return
        }
        #expect(read.segments == attributes && read.payload == event.payload)
    }

    private var rows: [Int64] { journal.state.withLock { $0.entries.map(\.id) } }

    private func claim(_ goal: PropertyKey) -> VisitorClaim {
        var claim = VisitorClaim()
        claim.goals = [goal]
        return claim
    }

    /// Triggers a goal, whose row is still to come.
    private func announce(
        _ goal: PropertyKey, of key: PropertyKey, in records: VisitorRecords, during load: Int? = nil
    ) throws -> KeyedClaim {
        let commit = records.commit(
            [.goal(goal)], claiming: claim(goal), for: key, during: load, isAnnounced: true)
        guard case .made(let keeper) = commit else { throw Failure() }
        return KeyedClaim(key: key, claim: claim(goal), keeper: keeper)
    }

    private func append(_ claim: KeyedClaim) throws -> Int64 {
        try journal.append([#require(TrackedCall([], claiming: claim).rows.first)])[0]
    }

    @Test func whatTheStoreHadNoRoomForIsNotForgottenWhenItsRowComes() async throws {
        store.isFailing = true
        let clock = StepClock()
        let killed = try Fixture.sdk(clock: clock, transport: ScriptedTransport(status: 500)) {
            $0.journal = journal
            $0.visitorStore = store
            $0.storeQueueCapacity = 1
            $0.releaseInterval = .seconds(100_000)
        }
        let contexts = [await killed.loadContext(visitorID: "v0"), await killed.loadContext(visitorID: "v1")]
        journal.isFailing = true
        for context in contexts { #expect(context.trackConversion("purchase") == .triggered) }
        journal.isFailing = false
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return journal.count == 4
            }, "two events and two claims")
        store.isFailing = false
        let next = try Fixture.sdk {
            $0.journal = journal
            $0.visitorStore = store
        }
        for number in 0...1 {
            let context = await next.loadContext(visitorID: "v\(number)")
            #expect(context.trackConversion("purchase") == .alreadyTriggered)
        }
        withExtendedLifetime(killed) {}
    }

    @Test func aRefusedClaimDoesNotSpeakForAnotherOfItsVisitor() async throws {
        let records = records()
        _ = records.commit([.goal("g0")], claiming: claim("g0"), for: "v0")
        let refused = try announce("g1", of: "v1", in: records)
        #expect(refused.keeper == .journal)
        await records.writer?.flush()
        let taken = try announce("g2", of: "v1", in: records)
        #expect(taken.keeper == .writer)
        let first = try append(refused)
        records.didJournal(refused, as: first)
        await records.writer?.flush()
        #expect(store.savedKeys == ["v0"], "the other is not in the journal yet")
        let second = try append(taken)
        records.didJournal(taken, as: second)
        #expect(rows == [first, second])
        #expect(
            await eventually {
                await records.flush()
                return rows.isEmpty
            })
        #expect(try await store.inner.load("v1")?.goals?.count == 2)
        #expect(await eventually { records.unsavedCount == 0 })
        records.close()
    }

    @Test func whatFoundNoRoomWhileTheRecordWasLoadedIsNotTakenForStored() async throws {
        let records = records()
        _ = records.commit([.goal("g0")], claiming: claim("g0"), for: "v0")
        let load = try #require(records.join("v1")?.number)
        // By a context that knows the record.
        let refused = try announce("g1", of: "v1", in: records)
        records.didJournal(refused, as: try append(refused))
        await records.writer?.flush()
        // Its row is read before the load ends.
        #expect(await eventually { records.state.withLock { $0.restoredCount } == 1 })
        records.endLoad(load, for: "v1", with: .read(nil))
        #expect(
            await eventually {
                await records.writer?.flush()
                return rows.isEmpty
            })
        #expect(try await store.inner.load("v1")?.goals == ["g1": true])
    }

    @Test func aLoadDoesNotUndoInMemoryWhatFoundNoRoom() async throws {
        func decision(_ variation: JSValue, over replaced: JSValue? = nil) -> VisitorClaim {
            var claim = VisitorClaim()
            claim.decisions = [VisitorClaim.Decision(experience: "e", variation: variation, replaced: replaced)]
            return claim
        }
        func change(_ variation: JSValue) -> [VisitorStateChange] {
            [.bucketing(experienceID: "e", variationID: variation)]
        }
        let records = records()
        #expect(records.commit(change("a"), claiming: decision("a"), for: "v1") == .made(.writer))
        await records.writer?.flush()
        #expect(records.commit([.goal("g0")], claiming: claim("g0"), for: "v0") == .made(.writer))
        let refused = records.commit(change("b"), claiming: decision("b", over: "a"), for: "v1", isAnnounced: true)
        #expect(refused == .made(.journal))
        let load = try #require(records.join("v1")?.number)
        let record = records.endLoad(load, for: "v1", with: .read(try await store.inner.load("v1")))
        #expect(record?.bucketing == ["e": "b"] && records.memory.record("v1")?.bucketing == ["e": "b"])
    }

    @Test func aRowThatComesWhenAllIsSavedIsReadAtOnce() async throws {
        let records = records()
        _ = records.commit([.goal("g0")], claiming: claim("g0"), for: "v0")
        let refused = try announce("g1", of: "v1", in: records)
        await records.writer?.flush()
        #expect(records.unsavedCount == 1)
        // From here on no visitor changes.
        records.didJournal(refused, as: try append(refused))
        #expect(
            await eventually {
                await records.writer?.flush()
                return store.savedKeys == ["v0", "v1"]
            })
        #expect(await eventually { rows.isEmpty && records.unsavedCount == 0 })
        records.close()
    }

    @Test func aRowGoesWithTheChangesOfItsOwnLoad() async throws {
        let records = records(capacity: 10)
        let first = try #require(records.join("v1")?.number)
        let early = try announce("g1", of: "v1", in: records, during: first)
        records.didJournal(early, as: nil)
        records.endLoad(first, for: "v1", with: .failed)
        let second = try #require(records.join("v1")?.number)
        let late = try announce("g2", of: "v1", in: records, during: second)
        records.didJournal(late, as: try append(late))
        records.didJournalLate(early, as: try append(early))
        #expect(rows.count == 2)
        await records.writer?.flush()
        #expect(rows.count == 1, "what the first load held is saved; the second one is under way")
        records.endLoad(second, for: "v1", with: .read(try await store.inner.load("v1")))
        await records.writer?.flush()
        #expect(rows.isEmpty)
        #expect(try await store.inner.load("v1")?.goals?.count == 2)
    }

    @Test func aLoadDoesNotEndBeforeTheJournalHasAnsweredForWhatItHolds() async throws {
        let records = records(capacity: 10)
        let load = try #require(records.join("v1")?.number)
        let claim = try announce("g1", of: "v1", in: records, during: load)
        #expect(records.endLoad(load, for: "v1", with: .read(nil)) == nil)
        await records.writer?.flush()
        #expect(store.savedKeys.isEmpty)
        records.didJournal(claim, as: try append(claim))
        #expect(
            await eventually {
                await records.writer?.flush()
                return rows.isEmpty
            })
        #expect(try await store.inner.load("v1")?.goals == ["g1": true])
    }
}
