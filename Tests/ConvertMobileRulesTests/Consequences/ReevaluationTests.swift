import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Testing

struct ReevaluationTests {
    private final class Interceptor: RulesInterceptor {
        let completions = Log<@Sendable (Bool) -> Void>()

        func reevaluate(_ event: MobileEvent, completion: @escaping @Sendable (Bool) -> Void) {
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

    private func engine(_ rules: JSValue...) throws -> MobileRulesEngine {
        var configuration = MobileRulesConfiguration()
        configuration.interceptor = interceptor
        let handler = ConsequenceClosure { [handled] in handled.append($0.consequence.id) }
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

    @Test func whatWaitsIsDroppedIfTheRulesCannotBeBroughtUpToDate() throws {
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

    @Test(arguments: [true, false]) func whatItDispatchesThenIsProcessedIfThatWasAskedFor(isAskedFor: Bool) throws {
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
}
