import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Testing

struct ReevaluationTests {
    private final class Interceptor: RulesInterceptor {
        let completions = Log<@Sendable (Bool) -> Void>()
        let events = Log<MobileEvent>()
        let rules = Log<[MobileRule]>()

        func reevaluate(
            _ event: MobileEvent, rules: [MobileRule], completion: @escaping @Sendable (Bool) -> Void
        ) {
            events.append(event)
            self.rules.append(rules)
            completions.append(completion)
        }
    }

    private struct Observer: MobileRulesObserver {
        let results = Log<MobileRulesResult>()

        func didReevaluate(_ result: MobileRulesResult) { results.append(result) }
        func didWarn(_ warning: MobileRulesWarning) { Issue.record("\(warning)") }
    }

    private static let schema: JSValue = ["id": "i", "schema": "s", "data": [:]]

    private static func asking(_ id: String) -> JSValue {
        ["condition": always, "consequences": [consequence(id, "schema", schema)], "meta": ["reEvaluate": true]]
    }

    private let interceptor = Interceptor()
    private let observer = Observer()
    private let handled = Log<String>()
    private let handledEvents = Log<MobileEvent>()

    private func engine(
        _ rules: JSValue..., semantics: MobileRulesSemantics = .standard,
        history: any EventHistory = InMemoryEventHistory()
    ) throws -> MobileRulesEngine {
        var configuration = MobileRulesConfiguration()
        configuration.semantics = semantics
        configuration.history = history
        configuration.interceptor = interceptor
        let handler = ConsequenceClosure { [handled, handledEvents] in
            handled.append($0.consequence.id)
            handledEvents.append($0.event)
        }
        configuration.handlers = ["an": handler, "iam": handler, "schema": handler]
        configuration.observer = observer
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        return engine
    }

    @Test func rulesThatAskForItWaitAndRunOnceTheRulesAreCurrent() throws {
        let engine = try engine(
            rule(always, consequence("a")), Self.asking("old"), rule(always, consequence("b", "schema", Self.schema)))
        let result = engine.process(event())
        #expect(result.heldRules == [1, 2])
        #expect(handled.entries == ["a"])
        engine.replaceRules(with: try document(rule(always, consequence("a")), Self.asking("new")))
        interceptor.completions.entries[0](true)
        interceptor.completions.entries[0](true)
        #expect(handled.entries == ["a", "new"])
    }

    @Test func waitingEventsAreDroppedIfTheRulesCannotBeUpdated() throws {
        let engine = try engine(rule(always, consequence("a")), Self.asking("x"))
        engine.process(event())
        interceptor.completions.entries[0](false)
        interceptor.completions.entries[0](true)
        #expect(handled.entries == ["a"])
    }

    @Test func onlyATrueBooleanAsks() throws {
        let textual: JSValue = [
            "condition": always, "consequences": [consequence("x", "schema", Self.schema)],
            "meta": ["reEvaluate": "true"],
        ]
        let engine = try engine(textual, rule(always, consequence("a")))
        #expect(engine.process(event()).heldRules.isEmpty)
        #expect(handled.entries == ["x", "a"])
        #expect(interceptor.completions.entries.isEmpty)
    }

    @Test func withoutAnInterceptorTheFlagMeansNothing() throws {
        let engine = MobileRulesEngine()
        engine.replaceRules(with: try document(Self.asking("x")))
        #expect(engine.process(event()).triggered.count == 1)
    }

    @Test func anEventThatIsPutAgainHasItsMessageAlready() throws {
        let engine = try engine(rule(always, consequence("a", "iam")), Self.asking("x"))
        engine.process(event())
        engine.replaceRules(with: try document(rule(always, consequence("b", "iam"), consequence("c"))))
        interceptor.completions.entries[0](true)
        #expect(handled.entries == ["a", "c"])
    }

    @Test func anEventThatIsPutAgainMayHaveItsFirstMessageThen() throws {
        let engine = try engine(Self.asking("x"))
        engine.process(event())
        engine.replaceRules(
            with: try document(rule(always, consequence("b", "iam")), rule(always, consequence("c", "iam"))))
        interceptor.completions.entries[0](true)
        #expect(handled.entries == ["b"])
    }

    @Test(arguments: [true, false]) func eventsDispatchedAfterAReevaluationAreProcessedIfRequested(isAskedFor: Bool)
        throws
    {
        let engine = try engine(Self.asking("x"))
        if isAskedFor { engine.processAll(event()) } else { engine.process(event()) }
        let detail: JSValue = ["type": "made", "source": "s", "eventdataaction": "copy"]
        engine.replaceRules(
            with: try document(
                rule(matcher("~type", "eq", "track"), consequence("d", "dispatch", detail)),
                rule(always, consequence("y"))))
        interceptor.completions.entries[0](true)
        #expect(observer.results.entries.map(\.event.type) == (isAskedFor ? ["track", "made"] : ["track"]))
        #expect(observer.results.entries[0].dispatched.map(\.type) == ["made"])
        #expect(handled.entries == (isAskedFor ? ["y", "y"] : ["y"]))
    }

    // MARK: The processed event

    private static func merging(_ id: String, _ type: String, _ data: JSValue) -> JSValue {
        rule(matcher("~type", "eq", "track"), consequence(id, type, ["eventdata": data]))
    }

    @Test(arguments: MobileRulesSemantics.allCases)
    func theInterceptorReceivesTheProcessedEventAndTheRulesThatAsk(semantics: MobileRulesSemantics) throws {
        let engine = try engine(
            Self.asking("x"), Self.merging("add", "add", ["added": 1, "old": 2]),
            rule(always, consequence("held", "schema", Self.schema)), Self.merging("mod", "mod", ["changed": 2]),
            Self.asking("y"), semantics: semantics)
        let result = engine.process(event(["old": 1, "changed": 1]))
        #expect(interceptor.events.entries == [result.event])
        #expect(interceptor.events.entries.map(\.data) == [["old": 1, "changed": 2, "added": 1]])
        #expect(interceptor.rules.entries.map { $0.map { $0.consequences.map(\.id) } } == [[["x"], ["y"]]])
    }

    @Test(arguments: MobileRulesSemantics.allCases)
    func theSecondPassGoesOnFromTheProcessedEvent(semantics: MobileRulesSemantics) throws {
        let engine = try engine(Self.asking("x"), Self.merging("add", "add", ["a": 1]), semantics: semantics)
        engine.process(event(["k": 0]))
        engine.replaceRules(
            with: try document(
                Self.merging("mod", "mod", ["b": 2]), Self.merging("late", "add", ["a": 9, "c": 3]),
                rule(always, consequence("s", "schema", Self.schema))))
        interceptor.completions.entries[0](true)
        #expect(observer.results.entries.map(\.event.data) == [["k": 0, "a": 1, "b": 2, "c": 3]])
        #expect(handledEvents.entries.map(\.data) == [["k": 0, "a": 1, "b": 2, "c": 3]])
    }

    @Test func conditionsAndTokensOfTheSecondPassReadTheEventAsItCameIn() throws {
        let engine = try engine(Self.asking("x"), Self.merging("m", "mod", ["k": "new", "added": 1]))
        engine.process(event(["k": "old"]))
        let rules = try document(
            rule(
                all(matcher("k", "eq", "old"), matcher("added", "nx")),
                consequence("a", "an", ["k": "{%k%}{%added%}"])),
            rule(any(matcher("k", "eq", "new"), matcher("added", "ex")), consequence("b")))
        engine.replaceRules(with: rules)
        interceptor.completions.entries[0](true)
        #expect(observer.results.entries.flatMap(\.consequences).map(\.id) == ["a"])
        #expect(observer.results.entries.flatMap(\.consequences).map(\.detail) == [["k": "old"]])
        #expect(handledEvents.entries.last?.data == ["k": "new", "added": 1])
    }

    @Test func anEventThatTheSecondPassDispatchesCopiesTheProcessedEvent() throws {
        let engine = try engine(Self.asking("x"), Self.merging("add", "add", ["added": 1]))
        engine.processAll(event(["k": 0]))
        let detail: JSValue = ["type": "made", "source": "s", "eventdataaction": "copy"]
        engine.replaceRules(
            with: try document(rule(matcher("~type", "eq", "track"), consequence("d", "dispatch", detail))))
        interceptor.completions.entries[0](true)
        #expect(observer.results.entries[0].dispatched.map(\.data) == [["k": 0, "added": 1]])
        #expect(observer.results.entries[1].event.data == ["k": 0, "added": 1])
    }

    @Test func theEventIsRememberedOnceAsTheFirstPassLeftIt() throws {
        let history = InMemoryEventHistory()
        let engine = try engine(
            Self.asking("x"), Self.merging("add", "add", ["added": 1]), history: history)
        engine.process(event(["k": 0], mask: ["added"]))
        engine.replaceRules(with: try document(Self.merging("mod", "mod", ["added": 2])))
        interceptor.completions.entries[0](true)
        #expect(observer.results.entries.map(\.event.data) == [["k": 0, "added": 2]])
        #expect(Self.count(["added": 1], in: history) == 1)
        #expect(Self.count(["added": 2], in: history) == 0)
    }

    private static func count(_ event: JSObject, in history: InMemoryEventHistory) -> Int {
        history.occurrences(of: EventFingerprint(of: event), in: 0...Int64.max).count
    }

    /// If the first rule ran at once, its id would keep the rule that asks from ever running.
    @Test func aRuleThatSharesAnIDWithAWaitingRuleWaitsToo() throws {
        let engine = try engine(
            rule(always, consequence("shared"), consequence("other")), Self.asking("shared"),
            rule(always, consequence("a")))
        #expect(engine.process(event()).heldRules == [0, 1])
        #expect(handled.entries == ["a"])
        interceptor.completions.entries[0](true)
        #expect(handled.entries == ["a", "shared", "other", "shared"])
    }

    /// Its tokens are too long, so that its consequence is left out; the rule counts as one that ran all the same.
    @Test func aRuleWhoseConsequenceWasLeftOutDoesNotRunAgain() throws {
        let long = JSValue.string(String(repeating: "{%t%}", count: 65))
        let results = Log<MobileRulesResult>()
        var configuration = MobileRulesConfiguration()
        configuration.interceptor = interceptor
        configuration.observer = ResultsObserver(results: results)
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try document(rule(always, consequence("long", "an", ["v": long])), Self.asking("x")))
        let first = engine.process(event(["t": .string(String(repeating: "x", count: 1 << 20))]))
        #expect(first.consequences.isEmpty)
        engine.replaceRules(with: try document(rule(always, consequence("long")), Self.asking("x")))
        interceptor.completions.entries[0](true)
        #expect(results.entries.map { $0.consequences.map(\.id) } == [["x"]])
    }

    private struct ResultsObserver: MobileRulesObserver {
        let results: Log<MobileRulesResult>

        func didReevaluate(_ result: MobileRulesResult) { results.append(result) }
        func didWarn(_ warning: MobileRulesWarning) {}
    }
}
