import ConvertECMAScript
import ConvertMobileRules
import Foundation

func matcher(_ key: String, _ name: String, _ values: JSValue...) -> JSValue {
    condition("matcher", ["key": .string(key), "matcher": .string(name), "values": .array(values)])
}

func all(_ members: JSValue...) -> JSValue { group("and", members) }

func any(_ members: JSValue...) -> JSValue { group("or", members) }

func group(_ logic: String, _ members: [JSValue]) -> JSValue {
    condition("group", ["logic": .string(logic), "conditions": .array(members)])
}

func historical(_ events: [JSValue], _ matcher: String, _ value: JSValue, _ more: JSObject = [:]) -> JSValue {
    var definition: JSObject = ["events": .array(events), "matcher": .string(matcher), "value": value]
    for member in more { definition[member.key] = member.value }
    return condition("historical", definition)
}

func condition(_ type: String, _ definition: JSObject) -> JSValue {
    ["type": .string(type), "definition": .object(definition)]
}

func consequence(_ id: String, _ type: String = "an", _ detail: JSValue = [:]) -> JSValue {
    ["id": .string(id), "type": .string(type), "detail": detail]
}

func rule(_ condition: JSValue, _ consequences: JSValue...) -> JSValue {
    ["condition": condition, "consequences": .array(consequences)]
}

/// A condition that every event meets.
let always = matcher("~type", "ex")

/// The bytes of a `rules.json` with these rules.
func rulesJSON(_ rules: [JSValue]) throws -> Data {
    Data(ECMAScript.jsonText(keepingNumbersOf: ["version": 1, "rules": .array(rules)]).utf8)
}

func document(_ rules: JSValue...) throws -> RulesDocument { try RulesDocument(json: rulesJSON(rules)) }

func event(_ data: JSObject? = [:], type: String = "track", mask: [String]? = nil) -> MobileEvent {
    MobileEvent(type: type, source: "app", data: data, mask: mask)
}

/// An engine with these rules, at 1,700,000,000,000 ms, with whatever else `configure` sets.
func engine(
    _ rules: JSValue..., configure: (inout MobileRulesConfiguration) -> Void = { _ in }
) throws -> MobileRulesEngine {
    var configuration = MobileRulesConfiguration()
    configuration.now = { 1_700_000_000_000 }
    configuration.secondsFromGMT = { _ in 0 }
    configure(&configuration)
    let engine = MobileRulesEngine(configuration)
    engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
    return engine
}

/// Whether an event with `data` meets `condition`.
func holds(
    _ condition: JSValue, _ data: JSObject? = [:], configure: (inout MobileRulesConfiguration) -> Void = { _ in }
) throws -> Bool {
    try !engine(rule(condition, consequence("hit")), configure: configure).evaluate(event(data)).isEmpty
}
