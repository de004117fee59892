import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Testing

struct WarningsTests {
    private struct Observer: MobileRulesObserver {
        let warnings = Log<MobileRulesWarning>()
        func didWarn(_ warning: MobileRulesWarning) { warnings.append(warning) }
    }

    private func observed(
        _ rules: JSValue..., configure: (inout MobileRulesConfiguration) -> Void = { _ in }
    ) throws -> (MobileRulesEngine, Observer) {
        let observer = Observer()
        var configuration = MobileRulesConfiguration()
        configuration.observer = observer
        configure(&configuration)
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        return (engine, observer)
    }

    @Test func theObserverGetsEachWarningOnceUntilTheRulesChange() throws {
        let bad = rule(always, consequence("m", "mod"))
        let (engine, observer) = try observed(bad)
        for _ in 0..<3 { #expect(engine.process(event()).warnings.count == 1) }
        #expect(observer.warnings.entries.map(\.place) == ["$.rules[0], consequence 'm'"])
        engine.replaceRules(with: try document(bad))
        engine.process(event())
        #expect(observer.warnings.entries.count == 2)
    }

    @Test func warningsAboutEventsAreBounded() throws {
        let bad = (0..<(2 * MobileRulesLimits.warnings)).map { consequence("\($0)", "mod") }
        let (engine, observer) = try observed(["condition": always, "consequences": .array(bad)])
        for _ in 0..<2 { #expect(engine.process(event()).warnings.count == bad.count) }
        #expect(observer.warnings.entries.count == MobileRulesLimits.warnings + 1)
        #expect(observer.warnings.entries.last?.place == "warnings")
    }

    @Test func aConsequenceThatNoHandlerCarriesOutIsNamedOnce() throws {
        let rules = rule(always, consequence("1", "pb"), consequence("2", "pb"), consequence("3", "an"))
        let (engine, observer) = try observed(rules) { $0.handlers["an"] = ConsequenceClosure { _ in } }
        for _ in 0..<2 { engine.process(event()) }
        #expect(observer.warnings.entries.map(\.place) == ["handlers"])
        #expect(observer.warnings.entries.first?.message.contains("'pb'") == true)
        let (silent, none) = try observed(rules)
        silent.process(event())
        #expect(none.warnings.entries.isEmpty)
    }

    private static let emptyInsert: JSValue = [
        "id": "h", "schema": "https://ns.adobe.com/personalization/eventHistoryOperation",
        "data": ["operation": "insert", "content": ["a": .null]],
    ]

    static let dropped: [(consequence: JSValue, data: JSObject?)] = [
        (consequence("x", "add", ["eventdata": ["a": 1]]), nil), (consequence("x", "schema", emptyInsert), [:]),
        (
            consequence(
                "x", "dispatch", ["type": "t", "source": "s", "eventdataaction": "new", "eventdata": "text"]), [:]
        ),
    ]

    @Test(arguments: dropped.indices) func aDroppedConsequenceIsReported(index: Int) throws {
        let (consequence, data) = Self.dropped[index]
        let result = try engine(rule(always, consequence)).process(event(data))
        #expect(result.warnings.map(\.place) == ["$.rules[0], consequence 'x'"])
    }

    @Test func evaluatingReportsWhatCouldNotBeLookedAt() throws {
        let (engine, observer) = try observed(rule(always))
        let deep = (0..<MobileRulesLimits.dataDepth).reduce(["k": 1] as JSObject) { inner, _ in ["k": .object(inner)] }
        #expect(engine.evaluate(event(deep)).isEmpty)
        #expect(observer.warnings.entries.map(\.place) == ["event"])
    }

    @Test func warningsOfAnAddedDocumentSayThatItIsTheAddedOne() throws {
        let (engine, observer) = try observed(rule(always), rule(always))
        engine.addRules(try document(rule(matcher("k", "zz"))))
        #expect(observer.warnings.entries.map(\.place) == ["added document, $.rules[0].condition"])
    }

    @Test func aDocumentWithTooManyFaultsSaysThatThereAreMore() throws {
        let bad = rule(matcher("k", "zz"))
        func warnings(_ count: Int) throws -> [MobileRulesWarning] {
            try RulesDocument(json: rulesJSON(Array(repeating: bad, count: count))).warnings(under: .standard)
        }
        #expect(try warnings(MobileRulesLimits.warnings).last?.ruleIndex == MobileRulesLimits.warnings - 1)
        #expect(try warnings(MobileRulesLimits.warnings + 1).last?.place == "$")
        #expect(try warnings(MobileRulesLimits.warnings + 1).count == MobileRulesLimits.warnings)
    }
}
