import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Foundation
import Testing

/// What the document says of its own examples.
struct DocumentedExamplesTests {
    private static func engine(_ json: String) throws -> MobileRulesEngine {
        let engine = MobileRulesEngine()
        engine.replaceRules(with: try RulesDocument(json: Data(json.utf8)))
        return engine
    }

    /// Whether a rule of `condition`, as text, matches an event with `data`.
    private static func matches(_ condition: String, _ data: JSObject) throws -> Bool {
        let json = #"{"version": 1, "rules": [{"condition": \#(condition), "consequences": []}]}"#
        return try !engine(json).process(event(data)).matchedRules.isEmpty
    }

    static let firstCases: [(data: JSObject, matches: Bool)] = [
        (["key1": "value1"], true), (["key1": "value2"], false), (["key2": "value1"], false), ([:], false),
    ]

    @Test(arguments: firstCases) func theFirstConditionIsAnEquality(data: JSObject, matches: Bool) throws {
        // The example is a member of a definition.
        let condition =
            #"{"type": "group", "definition": {"logic": "and", \#(DocumentedExamples.firstCondition)}}"#
        #expect(try Self.matches(condition, data) == matches)
    }

    static let secondCases: [(data: JSObject, matches: Bool)] = [
        (["key1": "value1", "key2": "value3"], true), (["key1": "value2", "key2": "value4"], true),
        (["key1": "other", "key2": "other"], true), (["key1": "other", "key2": "value3"], false),
        (["key1": "other", "key2": "value4"], false), (["key2": "value3"], false),
    ]

    @Test(arguments: secondCases) func theSecondConditionIsAnAlternative(data: JSObject, matches: Bool) throws {
        #expect(try Self.matches(DocumentedExamples.secondCondition, data) == matches)
    }

    static let flattenings: [(data: JSObject, flat: [String: JSValue])] = [
        (["user": ["address": ["city": "San José"]]], ["user.address.city": "San José"]),
        (["user.address": ["city": "San José"]], ["user.address.city": "San José"]),
        (["items": [1, 2]], ["items.0": 1, "items.1": 2]),
        (["list": [["name": "a"], ["name": "b"]]], ["list.0.name": "a", "list.1.name": "b"]),
        (["matrix": [[10, 20], [30]]], ["matrix.0.0": 10, "matrix.0.1": 20, "matrix.1.0": 30]),
    ]

    @Test(arguments: flattenings)
    func dataIsFlattenedForConditionsAndTokens(data: JSObject, flat: [String: JSValue]) throws {
        for (key, value) in flat {
            let engine = try ConvertMobileRulesTests.engine(
                rule(matcher(key, "eq", value), consequence("x", "an", ["v": .string("{%\(key)%}")])))
            let text = value.stringValue ?? value.numberValue.map { String(Int($0)) }
            #expect(engine.evaluate(event(data)).first?.detail["v"]?.stringValue == text, "\(key)")
        }
    }

    @Test func oneOfTwoPathsToANameCounts() throws {
        let data: JSObject = ["user": ["address": ["city": "nested"]], "user.address.city": "flat"]
        #expect(try holds(matcher("user.address.city", "eq", "flat", "nested"), data))
    }

    @Test func theFirstRulesShowTheirMessageForAnalyticsAndLocation() throws {
        let engine = try Self.engine(DocumentedExamples.firstRules)
        func shown(_ data: JSObject, _ type: String) -> [String] {
            engine.process(event(data, type: type)).triggered.map(\.consequence.id)
        }
        let id = "48181acd22b3edaebc8a447868a7df7ce629920a"
        #expect(shown(["key1": "value1", "key3": "value5"], "com.adobe.eventType.analytics") == [id])
        #expect(shown(["key2": "other", "key3": "value6"], "com.adobe.eventType.location") == [id])
        #expect(shown(["key1": "value1", "key3": "value5"], "com.adobe.eventType.lifecycle") == [])
        #expect(shown(["key1": "value1"], "com.adobe.eventType.location") == [])
        #expect(shown(["key2": "value3", "key3": "value5"], "com.adobe.eventType.location") == [])
    }

    /// From the archive to the handler, as an app would do it.
    @Test func theMessageOfTheArchiveIsShownOnce() async throws {
        let id = "48181acd22b3edaebc8a447868a7df7ce629920a"
        let archive = ZIPWriter().archive(
            .init("rules.json", DocumentedExamples.showOnceRules), .init("assets/\(id).html", "<p>Hello</p>"))
        let shown = Log<String>()
        let saved = Log<JSObject>()
        var configuration = MobileRulesConfiguration()
        configuration.profile = ClientSideProfile { saved.append($0) }
        configuration.handlers["iam"] = ConsequenceClosure { message in
            shown.append(String(decoding: message.assets["\(id).html"] ?? Data(), as: UTF8.self))
        }
        let engine = MobileRulesEngine(configuration)
        try await RulesLoader(engine: engine, source: .data(archive)).start()

        engine.process(event(["key3": "value4"]))
        #expect(shown.entries == [])
        engine.process(event(["key3": "value5"]))
        engine.process(event(["key3": "value6"]))
        #expect(shown.entries == ["<p>Hello</p>"])

        // What the app saved of the profile keeps the message from coming back.
        var restarted = MobileRulesConfiguration()
        restarted.profile = ClientSideProfile(values: try #require(saved.entries.last))
        restarted.handlers = configuration.handlers
        let second = MobileRulesEngine(restarted)
        try await RulesLoader(engine: second, source: .data(archive)).start()
        second.process(event(["key3": "value5"]))
        #expect(shown.entries.count == 1)
    }
}
