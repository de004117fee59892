import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Testing

struct WaitingEventsTests {
    @Test func eventsWaitForTheFirstRulesAndAreReplayedOnce() throws {
        let log = Log<String>()
        var configuration = MobileRulesConfiguration()
        configuration.maximumWaitingEvents = 2
        configuration.handlers["an"] = ConsequenceClosure { log.append("\($0.event.type) \($0.consequence.id)") }
        let engine = MobileRulesEngine(configuration)
        let early = ["1", "2", "3", "4"].map { engine.process(event(type: $0)) }
        #expect(early.map(\.isWaiting) == [true, true, true, true])
        #expect(early.map(\.warnings.count) == [0, 0, 1, 0])
        let replayed = engine.replaceRules(with: try document(rule(always, consequence("a"))))
        #expect(replayed.map(\.event.type) == ["3", "4"])
        #expect(engine.replaceRules(with: try document(rule(always, consequence("b")))).isEmpty)
        #expect(!engine.process(event(type: "5")).isWaiting)
        #expect(log.entries == ["3 a", "4 a", "5 b"])
    }

    @Test func waitingEventsAreBoundedBySize() throws {
        var configuration = MobileRulesConfiguration()
        configuration.maximumWaitingBytes = 10_000
        let engine = MobileRulesEngine(configuration)
        func put(_ type: String, _ length: Int) -> MobileRulesResult {
            engine.process(event(["k": .string(String(repeating: "x", count: length))], type: type))
        }
        let results = [put("1", 4_000), put("2", 4_000), put("huge", 10_000), put("3", 4_000), put("4", 100)]
        #expect(results.map(\.isWaiting) == [true, true, false, true, true])
        #expect(results.map(\.warnings.count) == [0, 0, 1, 1, 0])
        let replayed = engine.replaceRules(with: try document(rule(always, consequence("a"))))
        #expect(replayed.map(\.event.type) == ["2", "3", "4"])
    }

    @Test func aMaskCountsToo() {
        var configuration = MobileRulesConfiguration()
        configuration.maximumWaitingBytes = 10_000
        let engine = MobileRulesEngine(configuration)
        let mask = (0..<1_000).map { "name \($0)" }
        #expect(!engine.process(event(mask: mask)).isWaiting)
        #expect(engine.process(event(mask: Array(mask[..<100]))).isWaiting)
    }

    @Test func anEventThatNoRuleWillMatchDoesNotWait() throws {
        let deep = (0..<(2 * MobileRulesLimits.dataDepth)).reduce(["k": 1] as JSObject) { inner, _ in
            ["k": .object(inner)]
        }
        let engine = MobileRulesEngine()
        let result = engine.process(event(deep))
        #expect(!result.isWaiting)
        #expect(result.warnings.map(\.place) == ["event"])
    }

    /// A loader has no use for the results; the observer has.
    @Test func theObserverHearsWhatBecameOfEventsThatWaited() async throws {
        struct Observer: MobileRulesObserver {
            let replayed = Log<String>()
            func didWarn(_ warning: MobileRulesWarning) {}
            func didReplay(_ result: MobileRulesResult) {
                replayed.append("\(result.event.type) \(result.dispatched.map(\.type))")
            }
        }
        let observer = Observer()
        var configuration = MobileRulesConfiguration()
        configuration.observer = observer
        let engine = MobileRulesEngine(configuration)
        let dispatch = consequence("d", "dispatch", ["type": "made", "source": "s", "eventdataaction": "copy"])
        engine.process(event(type: "alone"))
        #expect(engine.processAll(event(type: "chained")).map(\.isWaiting) == [true])
        let rules = try rulesJSON([rule(always, dispatch)])
        try await RulesLoader(engine: engine, source: .data(rules)).start()
        #expect(observer.replayed.entries == [#"alone ["made"]"#, #"chained ["made"]"#, "made []"])
    }

    @Test func rulesThatAreAddedFirstEndTheWaitingToo() throws {
        let engine = MobileRulesEngine()
        engine.process(event(type: "1"))
        #expect(engine.addRules(try document(rule(always, consequence("a")))).map(\.matchedRules) == [[0]])
        #expect(engine.replaceRules(with: .empty).isEmpty)
    }
}
