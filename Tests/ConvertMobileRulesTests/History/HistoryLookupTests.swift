import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Testing

struct HistoryLookupTests {
    /// Logs what it is asked, and fails if told to.
    private struct AskedHistory: EventHistory {
        struct Failure: Error {}

        let inner = InMemoryEventHistory()
        let asked = Log<EventFingerprint>()
        var fails = false

        func record(_ fingerprint: EventFingerprint, at time: Int64) { inner.record(fingerprint, at: time) }

        func occurrences(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> EventOccurrences {
            asked.append(fingerprint)
            if fails { throw Failure() }
            return inner.occurrences(of: fingerprint, in: window)
        }

        func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) -> Int {
            inner.remove(fingerprint, in: window)
        }
    }

    private static let other = historical([["b": 1]], "eq", 0)
    /// 90 conditions about one event within one window, 30 of them different, and one about another.
    private static let rules = (0..<90).map { index in
        rule(all(historical([["a": 1]], "ge", .integer(index % 30)), other), consequence("\(index)"))
    }

    @Test func theSameIsAskedOncePerEvent() throws {
        let history = AskedHistory()
        let engine = try engine(history)
        #expect(engine.process(event()).matchedRules == [0, 30, 60])
        #expect(history.asked.entries.count == 2)
        history.record(EventFingerprint(of: ["a": 1]), at: 1)
        #expect(engine.process(event()).matchedRules == [0, 1, 30, 31, 60, 61])
        #expect(history.asked.entries.count == 4)
        #expect(engine.explain(event()).rules.filter(\.matches).map(\.index) == [0, 1, 30, 31, 60, 61])
    }

    @Test func aFailedLookUpIsNotRepeatedAndWarnedOfOnce() throws {
        var history = AskedHistory()
        history.fails = true
        let result = try engine(history).process(event())
        #expect(result.matchedRules.isEmpty)
        #expect(history.asked.entries.count == 1)
        #expect(result.warnings.map(\.place) == ["event history"])
    }

    @Test func anEventsRecordIsSeenFromTheNextEventOn() throws {
        let insert: JSValue = [
            "id": "h", "schema": "https://ns.adobe.com/personalization/eventHistoryOperation",
            "data": ["operation": "insert", "content": ["a": 1]],
        ]
        let engine = try ConvertMobileRulesTests.engine(
            rule(historical([["a": 1]], "eq", 0), consequence("i", "schema", insert)),
            rule(historical([["a": 1]], "eq", 0)), rule(historical([["a": 1]], "ge", 1)))
        #expect(engine.process(event()).matchedRules == [0, 1])
        #expect(engine.process(event()).matchedRules == [2])
    }

    private func engine(_ history: any EventHistory) throws -> MobileRulesEngine {
        var configuration = MobileRulesConfiguration()
        configuration.history = history
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(Self.rules)))
        return engine
    }
}
