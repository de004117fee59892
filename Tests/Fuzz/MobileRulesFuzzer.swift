import ConvertECMAScript
import ConvertMobileRules
import Foundation

/// libFuzzer's entry: a byte that chooses what reads the rest, then its input.
///
/// 0: a `rules.json`; 1: a text with tokens; 2: an archive; 3: an event. Whatever arrives, nothing may trap or hang,
/// and the indexed rules must answer as each rule by itself. `Tests/README.md` says how to build and run it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMobileRules(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = Data(bytes: bytes + 1, count: count - 1)
    switch bytes[0] % 4 {
    case 0: if let document = try? RulesDocument(json: input) { run(document) }
    case 1: if let document = document(of: String(decoding: input, as: UTF8.self)) { run(document) }
    case 2: if let package = try? RulesPackage(input) { run(package.document) }
    default: if let event = try? MobileEvent(json: input) { run(mergingRules, [event]) }
    }
    return 0
}

private let events = [
    MobileEvent(type: "t", source: "s"),
    MobileEvent(
        type: "a", source: "b",
        data: ["a": 1, "k": "text", "o": ["x": 1.5, "l": [true, ["y": "z"]]], "l": [["i": 1]]],
        mask: ["a"]),
]

private func run(_ document: RulesDocument, _ events: [MobileEvent] = events) {
    for semantics in MobileRulesSemantics.allCases {
        var configuration = MobileRulesConfiguration()
        configuration.semantics = semantics
        configuration.now = { 1_000 }
        configuration.random = { 7 }
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: document)
        for event in events {
            let plain = engine.explain(event).rules.filter(\.matches).map(\.index)
            precondition(engine.process(event).matchedRules == plain, "the index disagrees")
            engine.processAll(event)
        }
    }
}

/// Rules that read, merge into, copy and remember whatever an event brings.
private let mergingRules: RulesDocument = {
    let json = #"""
        {"version": 1, "rules": [
          {"condition": {"type": "group", "definition": {"logic": "or", "conditions": [
             {"type": "matcher", "definition": {"key": "a.b", "matcher": "co", "values": ["x", 1, 1.5, true]}},
             {"type": "matcher", "definition": {"key": "~all_json", "matcher": "ne", "values": ["{}"]}},
             {"type": "matcher", "definition": {"key": "~all_url", "matcher": "sw", "values": ["a"]}}]}},
           "consequences": [
             {"id": "1", "type": "add", "detail": {"eventdata":
               {"a": {"b": [1]}, "l": ["{%a%}"], "l[*]": {"m[*]": {"x": "{%urlenc(a.b)%}"}, "y": null}}}},
             {"id": "2", "type": "mod", "detail": {"eventdata": {"a": null, "l": [{}], "l[*]": {"z": "{%int(l.0)%}"}}}},
             {"id": "5", "type": "mod", "detail": {"eventdata":
               {"l[*]": {"m": [{}, {}, {}], "m[*]": {"n": [{}, {}, {}], "n[*]": {"o": [{}, {}, "{%a%}"]}}}}}},
             {"id": "6", "type": "mod", "detail": {"eventdata":
               {"l[*]": {"m[*]": {"n[*]": {"o[*]": {"p": [{}, {}, {}]}}}}}}},
             {"id": "3", "type": "dispatch", "detail":
               {"type": "{%~type%}", "source": "{%~all_url%}", "eventdataaction": "copy"}},
             {"id": "4", "type": "schema", "detail": {"id": "i",
               "schema": "https://ns.adobe.com/personalization/eventHistoryOperation",
               "data": {"operation": "insertIfNotExists", "content": {"k": "{%~all_json%}"}}}}]}]}
        """#
    return (try? RulesDocument(json: Data(json.utf8))) ?? .empty
}()

private func document(of text: String) -> RulesDocument? {
    let rules: JSValue = [
        "version": 1,
        "rules": [
            [
                "condition": ["type": "matcher", "definition": ["key": "~type", "matcher": "ex"]],
                "consequences": [
                    ["id": "1", "type": "add", "detail": ["eventdata": ["t": .string(text)]]],
                    [
                        "id": "2", "type": "dispatch",
                        "detail": ["type": .string(text), "source": "s", "eventdataaction": "copy"],
                    ],
                ],
            ]
        ],
    ]
    return (try? JSONEncoder().encode(rules)).flatMap { try? RulesDocument(json: $0) }
}
