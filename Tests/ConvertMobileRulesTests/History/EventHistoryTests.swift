import ConvertECMAScript
import ConvertMobileRules
import Testing

struct EventHistoryTests {
    static let fingerprints: [(event: JSObject, hash: UInt32)] = [
        (["key": "value"], 4_007_910_315), (["key": 552], 874_166_902), (["key": 5.52], 1_449_854_826),
        (["key": false], 138_493_769), (["key": [["aaa", "zzz", 111], ["2"]]], 2_441_202_563),
        (["key": "value", "number": 1234, "UpperCase": "abc", "_underscore": "score"], 960_895_195), ([:], 0),
        (["a": .null, "b": ""], 0),
    ]

    @Test(arguments: fingerprints) func anEventIsIdentifiedByItsFlattenedMembers(event: JSObject, hash: UInt32) {
        #expect(EventFingerprint(of: event).rawValue == hash)
    }

    @Test func aMaskSaysWhichMembersCount() {
        let data: JSObject = ["o": ["x": 1, "y": 2], "z": 3]
        #expect(EventFingerprint(of: data, mask: ["o.x"]) == EventFingerprint(of: ["o.x": 1]))
        #expect(EventFingerprint(of: data, mask: []) == .none)
        #expect(EventFingerprint(of: data, mask: ["o"]) == .none)
    }

    @Test func aWindowIncludesBothEnds() {
        let history = InMemoryEventHistory()
        let event = EventFingerprint(of: ["a": 1])
        for time in [30, 10, 20, 20] as [Int64] { history.record(event, at: time) }
        #expect(history.occurrences(of: event, in: 10...30) == EventOccurrences(count: 3, times: 10...30))
        #expect(history.occurrences(of: event, in: 11...29) == EventOccurrences(count: 1, times: 20...20))
        #expect(history.occurrences(of: event, in: .min ... .max).count == 3)
        #expect(history.occurrences(of: event, in: 31 ... .max) == .none)
        #expect(history.occurrences(of: EventFingerprint(of: ["a": 2]), in: 0...100) == .none)
        #expect(history.remove(event, in: 15...25) == 1)
        #expect(history.count == 2)
    }

    @Test func theOldestOccurrencesGoFirst() {
        let history = InMemoryEventHistory(retention: EventHistoryRetention(maximumCount: 10))
        for index in 0..<100 { history.record(EventFingerprint(rawValue: UInt32(index % 7 + 1)), at: Int64(index)) }
        #expect((9...10).contains(history.count))
        let newest = history.occurrences(of: EventFingerprint(rawValue: 99 % 7 + 1), in: 0...99)
        #expect(newest.times?.upperBound == 99)
    }

    @Test func manyEventsOfOneMillisecondAreBoundedToo() {
        let history = InMemoryEventHistory(retention: EventHistoryRetention(maximumCount: 10))
        for index in 1...1_000 { history.record(EventFingerprint(rawValue: UInt32(index)), at: 5) }
        #expect(history.count <= 10)
    }

    @Test func occurrencesAgeAgainstTheOneThatIsRecorded() {
        let history = InMemoryEventHistory(retention: EventHistoryRetention(maximumAge: 100))
        let event = EventFingerprint(of: ["a": 1])
        for time in [0, 50, 100, 120] as [Int64] { history.record(event, at: time) }
        #expect(history.occurrences(of: event, in: 0...1_000).times == 50...120)
    }

    @Test func aClockThatOnceRanAheadCostsNoLaterOccurrence() {
        let history = InMemoryEventHistory(retention: EventHistoryRetention(maximumAge: 100))
        let event = EventFingerprint(of: ["a": 1])
        for time in [50, 1_000_000, 60, 70] as [Int64] { history.record(event, at: time) }
        #expect(history.occurrences(of: event, in: 0...1_000) == EventOccurrences(count: 3, times: 50...70))
    }

    @Test func aTimeFarAheadMakesOthersOldOnceAnotherOneConfirmsIt() {
        let history = InMemoryEventHistory(retention: EventHistoryRetention(maximumAge: 100))
        let event = EventFingerprint(of: ["a": 1])
        for time in [50, 151] as [Int64] { history.record(event, at: time) }
        #expect(history.count == 2)
        history.record(event, at: 161)
        #expect(history.occurrences(of: event, in: 0...1_000).times == 151...161)
        history.remove(event, in: 161...161)
        history.record(event, at: 262)
        #expect(history.count == 2, "what was removed confirms nothing")
    }

    @Test func anEarlierEventIsNotNew() throws {
        /// As an app writes one that knows nothing of it.
        struct Own: EventHistory {
            let inner = InMemoryEventHistory()
            func record(_ fingerprint: EventFingerprint, at time: Int64) { inner.record(fingerprint, at: time) }
            func occurrences(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) -> EventOccurrences {
                inner.occurrences(of: fingerprint, in: window)
            }
            func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) -> Int {
                inner.remove(fingerprint, in: window)
            }
        }
        let event = EventFingerprint(of: ["a": 1])
        for history in [InMemoryEventHistory(), Own()] as [any EventHistory] {
            #expect(try history.recordIfNew(event, at: 10))
            #expect(try !history.recordIfNew(event, at: 11))
            #expect(try history.recordIfNew(event, at: 9), "what happened later was not known then")
            #expect(try history.occurrences(of: event, in: 0...20) == EventOccurrences(count: 2, times: 9...10))
        }
    }

    @Test func anOccurrenceStaysATenthOfTheAgeLongerAtMost() {
        let history = InMemoryEventHistory(retention: EventHistoryRetention(maximumAge: 100))
        let event = EventFingerprint(of: ["a": 1])
        for time in [0, 110] as [Int64] { history.record(event, at: time) }
        #expect(history.count == 2)
        history.record(event, at: 111)
        #expect(history.occurrences(of: event, in: 0...1_000).times == 110...111)
    }

    @Test func theExtremesOfTimeAgeToo() {
        let history = InMemoryEventHistory(retention: EventHistoryRetention(maximumAge: 100))
        let event = EventFingerprint(of: ["a": 1])
        for time in [Int64.min, .min + 5, .max, .max - 5] { history.record(event, at: time) }
        #expect(history.occurrences(of: event, in: .min ... .max).times == Int64.max - 5 ... .max)
    }

    @Test func limitsOutOfRangeBecomeTheSmallest() {
        var retention = EventHistoryRetention()
        retention.maximumCount = 0
        retention.maximumAge = -1
        #expect(retention == EventHistoryRetention(maximumCount: 1, maximumAge: 0))
        retention.maximumAge = nil
        let history = InMemoryEventHistory(retention: retention)
        for time in 1...3 as ClosedRange<Int64> { history.record(EventFingerprint(rawValue: 1), at: time) }
        #expect(history.count == 1)
    }

    @Test func anEventWithAMaskIsRecordedAfterItsRulesRan() throws {
        let engine = try engine(rule(historical([["a": 1]], "ge", 1), consequence("seen")))
        #expect(engine.process(event(["a": 1, "b": 2], mask: ["a"])).consequences.isEmpty)
        #expect(engine.process(event(["a": 1, "b": 3])).consequences.map(\.id) == ["seen"])
        #expect(try self.engine(rule(historical([["a": 1]], "ge", 1))).process(event(["a": 1])).consequences.isEmpty)
    }

    @Test func anEventIsRecordedAsItsConsequencesChangedIt() throws {
        let engine = try engine(
            rule(matcher("k", "ex"), consequence("m", "mod", ["eventdata": ["k": "w"]])),
            rule(historical([["k": "v"]], "ge", 1), consequence("old")),
            rule(historical([["k": "w"]], "ge", 1), consequence("new")))
        engine.process(event(["k": "v", "l": 1], mask: ["k"]))
        #expect(engine.process(event()).consequences.map(\.id) == ["new"])
    }

    @Test func anEventThatGrewTooDeepIsNotRecordedAndSaysSo() throws {
        let deep = (0..<400).reduce(["x": 1] as JSObject) { inner, _ in ["k": .object(inner)] }
        let payload = (0..<100).reduce(deep) { inner, _ in ["l[*]": .object(inner)] }
        let data = (0..<100).reduce(["y": 1] as JSObject) { inner, _ in ["l": [.object(inner)]] }
        let engine = try engine(rule(always, consequence("m", "mod", ["eventdata": .object(payload)])))
        let result = engine.process(event(data, mask: ["k"]))
        #expect(result.matchedRules == [0])
        #expect(result.warnings.map(\.place) == ["event history"])
    }

    @Test func aFailingHistoryIsMinusOneAndAWarning() throws {
        struct Failing: EventHistory {
            struct Broken: Error {}
            func record(_ fingerprint: EventFingerprint, at time: Int64) throws { throw Broken() }
            func occurrences(
                of fingerprint: EventFingerprint, in window: ClosedRange<Int64>
            ) throws -> EventOccurrences { throw Broken() }
            func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int { throw Broken() }
        }
        let engine = try engine(rule(historical([["a": 1]], "eq", -1), consequence("x"))) { $0.history = Failing() }
        let result = engine.process(event(["a": 1], mask: ["a"]))
        #expect(result.consequences.count == 1)
        #expect(result.warnings.map(\.place) == ["event history", "event history"])
    }

    @Test func aHistoryIsSafeUnderConcurrency() async {
        let history = InMemoryEventHistory()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<500 {
                        let event = EventFingerprint(rawValue: UInt32(index % 10 + 1))
                        history.record(event, at: Int64(task * 500 + index))
                        _ = history.occurrences(of: event, in: 0...10_000)
                    }
                }
            }
        }
        #expect(history.count == 4_000)
    }

    private func engine(
        _ rules: JSValue..., configure: (inout MobileRulesConfiguration) -> Void = { _ in }
    ) throws -> MobileRulesEngine {
        var configuration = MobileRulesConfiguration()
        configuration.now = { 1_000 }
        configure(&configuration)
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        return engine
    }
}
