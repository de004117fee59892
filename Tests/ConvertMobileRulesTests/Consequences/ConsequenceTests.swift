import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Foundation
import Testing

struct ConsequenceTests {
    @Test func theDocumentsMessageIsShownOnce() throws {
        let key = "48181acd22b3edaebc8a447868a7df7ce629920a"
        let engine = try engine(
            rule(
                all(
                    matcher("key3", "eq", "value5", "value6"),
                    matcher("~state.com.adobe.module.userProfile/userprofiledata.\(key)-seen", "nx")),
                consequence(key, "iam", ["template": "fullscreen", "html": .string("\(key).html")]),
                consequence(
                    "9d", "csp", ["operation": "write", "key": .string("\(key)-seen"), "value": "yes"])))
        #expect(engine.process(event(["key3": "value4"])).consequences.isEmpty)
        #expect(engine.process(event(["key3": "value5"])).triggered.map(\.consequence.type) == ["iam", "csp"])
        #expect(engine.process(event(["key3": "value6"])).consequences.isEmpty)
    }

    static let locations: [(data: JSObject, type: String, matches: Bool)] = [
        (["key1": "value1", "key3": "value5"], "com.adobe.eventType.analytics", true),
        (["key2": "other", "key3": "value6"], "com.adobe.eventType.location", true),
        (["key2": "value3", "key3": "value6"], "com.adobe.eventType.location", false),
        (["key1": "value2", "key3": "value7"], "com.adobe.eventType.location", false),
        (["key1": "value2", "key3": "value5"], "com.adobe.eventType.lifecycle", false),
    ]

    @Test(arguments: locations)
    func theDocumentsFirstExampleAnswersAsItSays(data: JSObject, type: String, matches: Bool) throws {
        let engine = try engine(
            rule(
                all(
                    any(
                        matcher("key1", "eq", "value1", "value2"),
                        all(matcher("key2", "ne", "value3"), matcher("key2", "ne", "value4"))),
                    matcher("key3", "eq", "value5", "value6"),
                    matcher("~type", "eq", "com.adobe.eventType.location", "com.adobe.eventType.analytics")),
                consequence("48", "iam")))
        #expect(engine.evaluate(event(data, type: type)).isEmpty != matches)
    }

    @Test func theFirstOfSeveralMessagesForOneEventIsHandedOn() throws {
        let engine = try engine(
            rule(always, consequence("a", "iam"), consequence("u", "url")), rule(always, consequence("b", "iam")))
        let result = engine.process(event())
        #expect(result.consequences.map(\.id) == ["a", "u", "b"])
        #expect(result.triggered.map(\.consequence.id) == ["a", "u"])
        #expect(engine.process(event()).triggered.count == 2)
    }

    @Test func anEventMadeByDispatchDoesNotDispatchAgain() throws {
        let detail: JSValue = ["type": "track", "source": "{%~source%}", "eventdataaction": "copy"]
        let engine = try engine(rule(always, consequence("d", "dispatch", detail), consequence("x")))
        let results = engine.processAll(event(["a": 1]))
        #expect(results.map(\.dispatched.count) == [1, 0])
        #expect(results[0].dispatched[0].source == "app")
        #expect(results[0].dispatched[0].data == ["a": 1])
        #expect(results[1].triggered.map(\.consequence.id) == ["x"])
    }

    static let profileWrites: [(value: JSValue, kept: JSValue?)] = [
        ("v", "v"), (5, 5), (1.5, 1.5), ("", nil), (true, "old"), (.null, "old"), ([1], "old"),
    ]

    @Test(arguments: profileWrites) func theProfileTakesTextsAndNumbers(value: JSValue, kept: JSValue?) throws {
        let profile = ClientSideProfile(values: ["k": "old"])
        let engine = try engine(
            rule(always, consequence("c", "csp", ["operation": "write", "key": "k", "value": value]))
        ) { $0.profile = profile }
        engine.process(event())
        #expect(profile.values["k"] == kept)
    }

    @Test func theProfileForgetsWhatIsDeletedAndTellsOfEachChange() throws {
        let changes = Log<JSObject>()
        let profile = ClientSideProfile(values: ["k": 1, "l": 2]) { changes.append($0) }
        let engine = try engine(rule(always, consequence("c", "csp", ["operation": "delete", "key": "k"]))) {
            $0.profile = profile
        }
        engine.process(event())
        #expect(profile.values == ["l": 2])
        #expect(changes.entries == [["l": 2]])
    }

    @Test func aSharedStateOfThatNameHidesTheProfile() throws {
        let key = "~state.com.adobe.module.userProfile/userprofiledata.k"
        let profile = ClientSideProfile(values: ["k": 1])
        #expect(try holds(matcher(key, "eq", 1)) { $0.profile = profile })
        #expect(
            try !holds(matcher(key, "eq", 1)) {
                $0.profile = profile
                $0.sharedStates = FixedSharedStates([ClientSideProfile.stateName: [:]])
            })
    }

    @Test func everyTypeIsHandedToItsHandlerInOrder() throws {
        let log = Log<String>()
        let handler = ConsequenceClosure { log.append("\($0.consequence.id) \($0.event.data?["a"] ?? .null)") }
        let engine = try engine(
            rule(
                always, consequence("1", "an"), consequence("m", "mod", ["eventdata": ["a": "new"]]),
                consequence("2", "own"), consequence("3", "unheard"))
        ) { $0.handlers = ["an": handler, "own": handler] }
        engine.process(event(["a": "old"]))
        #expect(log.entries == [#"1 "old""#, #"2 "new""#])
    }

    @Test func aHandlerMayCallTheEngine() throws {
        let results = Log<Int>()
        let holder = Log<MobileRulesEngine>()
        let engine = try engine(rule(matcher("a", "eq", 1), consequence("x"))) {
            $0.handlers["an"] = ConsequenceClosure { _ in
                for engine in holder.entries { results.append(engine.process(event(["a": 2])).consequences.count) }
            }
        }
        holder.append(engine)
        engine.process(event(["a": 1]))
        #expect(results.entries == [0])
    }

    @Test func aConsequenceGetsTheAssetsItNames() throws {
        let engine = MobileRulesEngine()
        let rules = try document(
            rule(
                always,
                consequence("m", "iam", ["html": "m.html", "remoteAssets": [["a.png", "https://e.com/b.png"]]])))
        engine.replaceRules(
            with: rules,
            assets: RulesAssets(["assets/m.html": Data("<p>".utf8), "a.png": Data([1]), "other": Data([2])]))
        #expect(engine.process(event()).triggered[0].assets == ["m.html": Data("<p>".utf8), "a.png": Data([1])])
    }

    @Test func aConsequenceCanBecomeAnEvent() throws {
        let result = try engine(rule(always, consequence("u", "url", ["url": "app://{%a%}"]))).process(event(["a": 1]))
        let response = result.triggered[0].responseEvent
        #expect(response.type == "com.adobe.eventType.rulesEngine")
        #expect(response.source == "com.adobe.eventSource.responseContent")
        #expect(
            response.data == [
                "triggeredconsequence": ["id": "u", "type": "url", "detail": ["url": "app://1"]]
            ])
    }

    /// An app that puts everything that is handed on back to the engine.
    private func echo(_ types: Set<String>, _ rules: JSValue...) throws -> (generations: [Int], warnings: [String]) {
        let holder = Log<MobileRulesEngine>()
        let (generations, warnings) = (Log<Int>(), Log<String>())
        let handler = ConsequenceClosure { triggered in
            generations.append(triggered.event.generation)
            // Without a bound of the engine's own this would be the stack's end.
            if generations.entries.count > 50 { return }
            for engine in holder.entries {
                warnings.append(contentsOf: engine.process(triggered.responseEvent).warnings.map(\.message))
            }
        }
        var configuration = MobileRulesConfiguration()
        for type in types { configuration.handlers[type] = handler }
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        holder.append(engine)
        engine.process(event())
        return (generations.entries, warnings.entries)
    }

    @Test(arguments: ["an", "iam", "csp", "own"]) func aConsequenceThatReturnsAsAnEventEnds(type: String) throws {
        let detail: JSValue = ["operation": "delete", "key": "k"]
        let (generations, warnings) = try echo([type], rule(always, consequence("x", type, detail)))
        #expect(generations == [0, 1])
        #expect(warnings.count == 1 && warnings.allSatisfy { $0.hasPrefix("not passed to a handler") })
    }

    @Test func aConsequenceThatReturnsAsAnEventDoesNotDispatch() throws {
        let detail: JSValue = ["type": "t", "source": "s", "eventdataaction": "new"]
        let (generations, warnings) = try echo(
            ["an"], rule(matcher("~type", "eq", "track"), consequence("x")),
            rule(matcher("~type", "co", "rulesEngine"), consequence("d", "dispatch", detail)))
        #expect(generations == [0])
        #expect(warnings == ["skipped: an event that a consequence created cannot dispatch events."])
    }

    static let malformed: [(type: String, detail: JSValue)] = [
        ("add", [:]), ("mod", ["eventdata": [1]]), ("dispatch", [:]),
        ("dispatch", ["type": "t", "source": "s", "eventdataaction": "COPY"]), ("schema", ["id": "i", "schema": "s"]),
    ]

    @Test(arguments: malformed) func aConsequenceThatLacksSomethingIsSkippedWithAWarning(
        type: String, detail: JSValue
    ) throws {
        let result = try engine(rule(always, consequence("c", type, detail), consequence("x"))).process(event(["a": 1]))
        #expect(result.triggered.map(\.consequence.id) == ["x"])
        #expect(result.event.data == ["a": 1])
        #expect(result.dispatched.isEmpty)
        #expect(result.warnings.map(\.ruleIndex) == [0])
    }

    @Test func theObserverHearsOfConditionsAndWarnings() throws {
        struct Observer: MobileRulesObserver {
            let explanations = Log<Bool>()
            let warnings = Log<String>()
            var wantsExplanations: Bool { true }
            func didEvaluate(_ explanation: RulesExplanation) { explanations.append(explanation.rules[0].matches) }
            func didWarn(_ warning: MobileRulesWarning) { warnings.append(warning.place) }
        }
        let observer = Observer()
        let engine = try engine(rule(matcher("a", "eq", 1), consequence("m", "mod"))) { $0.observer = observer }
        engine.process(event(["a": 1]))
        engine.process(event(["a": 2]))
        #expect(observer.explanations.entries == [true, false])
        #expect(observer.warnings.entries == ["$.rules[0], consequence 'm'"])
    }
}
