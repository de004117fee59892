import ConvertECMAScript
@testable import ConvertMobileRules
import ConvertTestSupport
import Foundation
import Testing

/// Input that is small and would be costly if it were taken at its word.
@Suite(.timeLimit(.minutes(10)))
struct HostileCostTests {
    @Test func anEventWhoseFlattenedNamesAreHugeMatchesNothing() throws {
        // Megabytes as JSON, terabytes when every leaf's name is written out.
        let rows = JSValue.array(Array(repeating: 1, count: inputSize(1_000_000, plain: 300_000)))
        let data: JSObject = [String(repeating: "k", count: 5_000_000): rows]
        let engine = try engine(rule(always, consequence("x", "an", ["v": "{%~all_url%}{%k.1%}"])))
        let result = engine.process(event(data, mask: ["k.1"]))
        #expect(result.matchedRules.isEmpty)
        #expect(result.warnings.map(\.place) == ["event"])
        #expect(EventFingerprint(of: data) == .none)
    }

    /// Were the place of each of them looked for from the document's beginning, two hundred million values would be
    /// passed.
    @Test func consequencesThatCannotBeReadAreLeftOutAtOnce() throws {
        let consequence = #"{"id":"1","type":"t","detail":{"a":1e999}}"#
        let consequences = repeatElement(consequence, count: inputSize(100_000, plain: 20_000)).joined(separator: ",")
        let condition = #"{"type":"matcher","definition":{"key":"~type","matcher":"ex"}}"#
        let json = #"{"version":1,"rules":[{"condition":\#(condition),"consequences":[\#(consequences)]}]}"#
        let document = try RulesDocument(json: Data(json.utf8))
        #expect(document.rules.first?.consequences.isEmpty == true)
        let warnings = document.warnings(under: .standard)
        #expect(warnings.count == MobileRulesLimits.warnings)
        #expect(warnings[1].place == "$.rules[0].consequences[1]")
    }

    @Test func anExplanationDoesNotSpellOutALargeEvent() throws {
        let members = (0..<20_000).map { ("\($0)", JSValue.integer($0)) }
        let data: JSObject = [String(repeating: "k", count: 5_000_000): .object(JSObject(members))]
        let engine = try engine(rule(any(always, matcher("~all_url", "co", "k"), matcher("k", "ex"))))
        let rule = engine.explain(event(data)).rules[0]
        #expect(!rule.matches)
        #expect(rule.condition.conditions.map(\.value) == ["track", nil, nil])
    }

    @Test func flattenedNamesAreBoundedOnBothSides() throws {
        let count = 1_000
        func data(_ total: Int) -> JSObject {
            // The name itself, then a dot and four digits more for each element.
            let name = (total - 5 * count) / (count + 1)
            return [String(repeating: "k", count: name): .array(Array(repeating: 1, count: count))]
        }
        #expect(try holds(always, data(MobileRulesLimits.flattenedLength - 2 * count)))
        #expect(try !holds(always, data(MobileRulesLimits.flattenedLength + 2 * count)))
    }

    @Test func anEventThatGrewTooDeepMatchesNothingWhenItIsPutAgain() throws {
        let deep = (0..<300).reduce(["x": 1] as JSObject) { inner, _ in ["k": .object(inner)] }
        let payload = (0..<190).reduce(deep) { inner, _ in ["l[*]": .object(inner)] }
        let data = (0..<190).reduce(["y": 1] as JSObject) { inner, _ in ["l": [.object(inner)]] }
        // A wildcard takes one level of the payload and two of the event.
        let engine = try engine(
            rule(always, consequence("m", "mod", ["eventdata": .object(payload)]), consequence("h")))
        let result = engine.process(event(data))
        #expect(result.matchedRules == [0])
        let changed = try #require(result.triggered.first).event
        #expect(engine.process(changed).matchedRules.isEmpty)
        #expect(engine.process(changed).warnings.map(\.place) == ["event"])
    }

    @Test func tokensOfOneEventAreBoundedTogether() throws {
        let data: JSObject = ["t": .string(String(repeating: "x", count: 1_000_000))]
        let tokens = JSValue.string(String(repeating: "{%~all_json%}", count: 1_000))
        let engine = try engine(
            rule(always, consequence("fits", "an", ["v": "{%t%}"]), consequence("huge", "an", ["v": tokens])),
            rule(always, consequence("later", "an", ["v": "{%t%}"]), consequence("plain", "an", ["v": "p"])))
        let result = engine.process(event(data))
        #expect(result.consequences.map(\.id) == ["fits", "plain"])
        #expect(result.warnings.map(\.place) == ["$.rules[0].consequences"])
        #expect(engine.process(event(["t": "x"])).consequences.map(\.id) == ["fits", "huge", "later", "plain"])
    }

    @Test func aKeyIsBoundedOnBothSides() throws {
        let longest = String(repeating: "k", count: MobileRulesLimits.keyLength)
        let data: JSObject = [longest: 1, longest + "k": 1]
        #expect(try holds(matcher(longest, "eq", 1), data))
        #expect(try !holds(matcher(longest + "k", "eq", 1), data))
        #expect(try !holds(matcher(longest + "k", "nx"), [:]))
        let detail: JSValue = ["v": .string("<{%\(longest)%}{%\(longest)k%}>")]
        let engine = try engine(rule(always, consequence("x", "an", detail)))
        #expect(engine.evaluate(event(data))[0].detail == ["v": "<1>"])
        let document = try document(rule(matcher(longest + "k", "nx")))
        #expect(document.warnings(under: .standard).map(\.place) == ["$.rules[0].condition"])
    }

    @Test func keysOfManyDotsAreCheap() throws {
        let dots = String(repeating: ".", count: MobileRulesLimits.keyLength - 8)
        let rules = (0..<2_000).map {
            rule(any(matcher("\($0)\(dots)", "eq", 1), matcher("~state.s/\(dots)", "eq", 1)))
        }
        var configuration = MobileRulesConfiguration()
        configuration.sharedStates = FixedSharedStates(["s": ["": ["": 1]]])
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        #expect(engine.process(event(["0": ["": ["": 1]], "\(7)\(dots)": 1])).matchedRules == [7])
    }

    @Test func aGroupOfManyMembersIsCompiled() throws {
        let members = (0..<5_000).map { matcher("k", "eq", .integer($0)) }
        #expect(try holds(group("or", members), ["k": 4_999]))
        #expect(try !holds(group("and", members), ["k": 4_999]))
    }

    @Test func aLongTextIsSearchedInLinearTime() throws {
        // A text that is not ASCII costs more, and may be shorter.
        for (character, count) in [
            ("0", inputSize(1_000_000, plain: 200_000)), ("é", inputSize(250_000, plain: 50_000)),
        ] {
            let text = String(repeating: character, count: count)
            let operand = String(repeating: character, count: 20_000)
            #expect(try !holds(matcher("t", "co", .string(operand + "1")), ["t": .string(text)]))
            #expect(try holds(matcher("t", "co", .string(operand + "1")), ["t": .string(text + "1" + text)]))
        }
    }

    @Test func aLongNumberIsReadOncePerEvent() throws {
        let number = String(repeating: "1", count: 8_000_000) + "e-7999999"
        let rules = (0..<inputSize(8_000, plain: 2_000)).map { rule(matcher("n", "gt", .number(Double($0) + 0.5))) }
        var configuration = MobileRulesConfiguration()
        configuration.now = { 0 }
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        #expect(engine.process(event(["n": .string(number)])).matchedRules == [0])
    }

    @Test func textThatIsNoASCIIMayBeLong() throws {
        let text = String(repeating: "é", count: inputSize(1_000_000, plain: 200_000))
        #expect(
            try !holds(
                any(matcher("t", "co", "ö"), matcher("t", "sw", "e"), matcher("t", "eq", "é")), ["t": .string(text)]))
    }

    /// A walk through the event for each of them would take long.
    @Test func manyTokensReadAnEventOfManyMembers() throws {
        let count = inputSize(20_000, plain: 5_000)
        let data = JSObject((0..<5 * count).map { ("k\($0)", JSValue.integer($0)) })
        let tokens = (0..<count).map { "{%k\($0)%}{%k\($0).x%}" }.joined()
        let engine = try engine(rule(always, consequence("x", "an", ["v": .string(tokens)])))
        let text = (0..<count).map(String.init).joined()
        #expect(engine.process(event(data)).consequences.map(\.detail) == [["v": .string(text)]])
    }

    /// Of a name with a thousand dots there are as many beginnings to look for, in each of the objects within each
    /// other.
    @Test func namesOfManyDotsAreLookedUpInADeepState() throws {
        let deep = (0..<500).reduce(1 as JSValue) { inner, _ in ["a": inner, "b": 1] }
        let path = String(repeating: "a.", count: 490)
        let keys = (0..<30).map { "~state.s/\(path)z\($0)" + String(repeating: ".z", count: 1_500) }
        let rules = keys.map { rule(matcher($0, "ex"), consequence("x")) }
        var configuration = MobileRulesConfiguration()
        configuration.sharedStates = FixedSharedStates(["s": ["a": deep, path + "b": 1, "b": ["c": 1]]])
        let engine = MobileRulesEngine(configuration)
        let found = ["~state.s/\(path)b", "~state.s/\(path)a.b", "~state.s/b.c"].map { rule(matcher($0, "eq", 1)) }
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules + found)))
        #expect(engine.process(event()).matchedRules == [30, 31, 32])
    }

    @Test func valuesAreBoundedOnBothSides() throws {
        let limit = 1_000
        /// The document itself takes 15 values.
        func document(values: Int) throws -> RulesDocument {
            let values = Array(repeating: "1", count: values - 15).joined(separator: ",")
            let condition = #"{"type":"matcher","definition":{"key":"k","matcher":"ex"}}"#
            let consequences = #"[{"id":"x","type":"an","detail":{"v":[\#(values)]}}]"#
            let rule = #"{"condition":\#(condition),"consequences":\#(consequences)}"#
            return try RulesDocument(json: Data(#"{"version":1,"rules":[\#(rule)]}"#.utf8), values: limit)
        }
        #expect(try document(values: limit).rules[0].consequences.map(\.id) == ["x"])
        let error = #expect(throws: MobileRulesError.self) { try document(values: limit + 1) }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("\(limit) values") == true)
    }
}
