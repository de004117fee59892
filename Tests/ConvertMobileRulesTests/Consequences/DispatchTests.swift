import ConvertECMAScript
import ConvertMobileRules
import Testing

struct DispatchTests {
    private static func dispatches(_ count: Int) -> JSValue {
        let detail: JSValue = ["type": "made", "source": "s", "eventdataaction": "copy"]
        let dispatches = (0..<count).map { consequence("\($0)", "dispatch", detail) }
        return ["condition": matcher("~type", "eq", "track"), "consequences": .array(dispatches)]
    }

    @Test func anEventDispatchesUpToALimit() throws {
        let limit = MobileRulesLimits.dispatchedEvents
        let most = try engine(Self.dispatches(limit)).process(event())
        #expect(most.dispatched.count == limit)
        #expect(most.warnings.isEmpty)
        let more = try engine(Self.dispatches(limit + 5)).process(event())
        #expect(more.dispatched == most.dispatched)
        #expect(more.warnings.map(\.place) == ["$.rules[0], consequence '\(limit)'"])
    }

    @Test func tokensOfAnEventAndThoseItDispatchesAreBoundedTogether() throws {
        let text = JSValue.string(String(repeating: "x", count: MobileRulesLimits.expandedLength / 3))
        let engine = try engine(Self.dispatches(3), rule(always, consequence("x", "an", ["v": "{%t%}"])))
        let results = engine.processAll(event(["t": text]))
        #expect(results.map(\.triggered.count) == [1, 1, 1, 0])
        #expect(results.map(\.warnings.count) == [0, 0, 0, 1])
        #expect(engine.process(results[0].dispatched[2]).triggered.count == 1)
    }

    @Test func mergesOfAnEventAndThoseItDispatchesAreBoundedTogether() throws {
        let many = Array(repeating: JSValue.integer(1), count: MobileRulesLimits.mergedValues / 3)
        let engine = try engine(
            Self.dispatches(3),
            rule(matcher("~type", "eq", "made"), consequence("m", "mod", ["eventdata": ["l": [2]]])))
        let data: JSObject = ["l": .array(many)]
        let results = engine.processAll(event(data))
        #expect(results.map { $0.event.data == data } == [true, false, false, true])
        #expect(results.map(\.warnings.count) == [0, 0, 0, 1])
        #expect(engine.process(results[0].dispatched[2]).event.data != data)
    }

    @Test func eventsThatWaitedHaveABudgetEach() throws {
        let text = JSValue.string(String(repeating: "x", count: MobileRulesLimits.expandedLength / 2 + 1))
        var configuration = MobileRulesConfiguration()
        configuration.maximumWaitingBytes = 2 * MobileRulesLimits.expandedLength
        let engine = MobileRulesEngine(configuration)
        for _ in 0..<3 { engine.processAll(event(["t": text])) }
        let results = engine.replaceRules(with: try document(rule(always, consequence("x", "an", ["v": "{%t%}"]))))
        #expect(results.map(\.triggered.count) == [1, 1, 1])
    }
}
