import ConvertECMAScript
import ConvertMobileRules
import Foundation
import Testing

struct RulesDocumentTests {
    private static let good = rule(always, consequence("ok"))

    /// What a document is refused for: the document, the place and the code.
    static let refused: [(json: String, place: String, code: MobileRulesError.Code)] = [
        ("", "$", .invalidJSON), ("{", "$", .invalidJSON), ("<html>", "$", .invalidJSON), ("[]", "$", .wrongType),
        ("{}", "$.version", .missingMember), (#"{"version": "1", "rules": []}"#, "$.version", .wrongType),
        (#"{"version": 1.5, "rules": []}"#, "$.version", .wrongType),
        (#"{"version": null, "rules": []}"#, "$.version", .wrongType),
        (#"{"version": 9223372036854775808, "rules": []}"#, "$.version", .wrongType),
        (#"{"version": 1}"#, "$.rules", .missingMember),
        (#"{"version": 1, "rules": {}}"#, "$.rules", .wrongType),
        (#"{"version": 1, "rules": [5]}"#, "$.rules[0]", .wrongType),
        (#"{"version": 1, "rules": [{"consequences": []}]}"#, "$.rules[0].condition", .missingMember),
        (
            #"{"version": 1, "rules": [{"condition": {"type": "group", "definition": {}}}]}"#,
            "$.rules[0].consequences",
            .missingMember
        ),
    ]

    @Test(arguments: refused)
    func aDocumentWithoutAFrameIsRefusedWithItsPlace(json: String, place: String, code: MobileRulesError.Code) {
        let error = #expect(throws: MobileRulesError.self) { try RulesDocument(json: Data(json.utf8)) }
        #expect(error?.place == place)
        #expect(error?.code == code)
    }

    @Test(arguments: [("1", 1), ("0", 0), ("-7", -7), ("99", 99), ("1.0", 1), ("1e2", 100)])
    func everyIntegerIsAVersion(spelling: String, version: Int) throws {
        #expect(try RulesDocument(json: Data(#"{"version": \#(spelling), "rules": []}"#.utf8)).version == version)
    }

    static let wrongDefinitions: [(member: String, value: JSValue)] = [
        ("key", 5), ("matcher", true), ("logic", ["and"]), ("searchType", 1), ("values", "text"), ("conditions", [:]),
        ("events", [5]), ("events", "x"), ("from", 1.5), ("to", "now"), ("conditions", [5]),
    ]

    @Test(arguments: ["matcher", "group", "historical"], wrongDefinitions)
    func aMemberOfTheWrongTypeRefusesTheDocumentWhicheverConditionItStandsIn(
        type: String, wrong: (member: String, value: JSValue)
    ) throws {
        let (member, value) = wrong
        let bad = condition(type, ["key": "k", "matcher": "eq", "logic": "and", "conditions": [always]])
        guard case .object(var object) = bad, case .object(var definition)? = object["definition"] else { return }
        definition[member] = value
        object["definition"] = .object(definition)
        let rules = [Self.good, rule(any(always, .object(object)), consequence("bad"))]
        let error = try #require(throws: MobileRulesError.self) { try RulesDocument(json: rulesJSON(rules)) }
        #expect(error.ruleIndex == 1)
        #expect(error.place.hasPrefix("$.rules[1].condition.definition.conditions[1].definition.\(member)"))
    }

    @Test func anUnknownTypeOfConditionIsNamed() throws {
        let error = try #require(throws: MobileRulesError.self) {
            try document(Self.good, rule(any(always, condition("Matcher", [:]))))
        }
        #expect(error.code == .unknownConditionType)
        #expect(error.place == "$.rules[1].condition.definition.conditions[1].type")
        #expect(error.ruleIndex == 1)
    }

    @Test func aMetaThatIsNoObjectRefusesTheDocument() throws {
        let bad: JSValue = ["condition": always, "consequences": [], "meta": "x"]
        #expect(throws: MobileRulesError.self) { try document(bad) }
    }

    @Test func aMalformedConsequenceIsDroppedWithAWarning() throws {
        let document = try document(
            rule(always, consequence("a"), ["id": 5, "type": "an", "detail": [:]], ["id": "x", "type": "an"]))
        #expect(document.rules[0].consequences.map(\.id) == ["a"])
        let places = document.warnings(under: .standard).map(\.place)
        #expect(places == ["$.rules[0].consequences[1]", "$.rules[0].consequences[2]"])
    }

    @Test func warningsNameTheRuleAndThePath() throws {
        let document = try document(Self.good, rule(all(always, matcher("k", "EQ", 1)), consequence("x")))
        let warning = try #require(document.warnings(under: .standard).first)
        #expect(warning.ruleIndex == 1)
        #expect(warning.place == "$.rules[1].condition.definition.conditions[1]")
    }

    @Test func warningsAreBounded() throws {
        let bad = rule(matcher("k", "zz"), consequence("x"))
        let document = try RulesDocument(json: rulesJSON(Array(repeating: bad, count: 1_000)))
        #expect(document.warnings(under: .reference).count == MobileRulesLimits.warnings)
    }

    @Test func integersAreExactUpToSixtyFourBits() throws {
        #expect(try holds(matcher("n", "eq", 9_007_199_254_740_993), ["n": 9_007_199_254_740_993]))
        #expect(try !holds(matcher("n", "eq", 9_007_199_254_740_993), ["n": 9_007_199_254_740_992]))
    }

    @Test func bytesThatAreNotUTF8AreRefused() throws {
        var json = try rulesJSON([Self.good])
        json.append(contentsOf: [0x20, 0xff])
        #expect(throws: MobileRulesError.self) { try RulesDocument(json: json) }
    }

    @Test func onlyUTF8IsReadAndAByteOrderMarkOfItAllowed() throws {
        let json = String(decoding: try rulesJSON([Self.good]), as: UTF8.self)
        #expect(try RulesDocument(json: Data([0xef, 0xbb, 0xbf]) + Data(json.utf8)).rules.count == 1)
        let encodings: [String.Encoding] = [
            .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ]
        for encoding in encodings {
            let error = #expect(throws: MobileRulesError.self) {
                try RulesDocument(json: try #require(json.data(using: encoding)))
            }
            #expect(error?.code == .invalidJSON)
            #expect(error?.message.contains("save it as UTF-8") == true, "\(encoding)")
        }
    }

    @Test func aNumberThatNoDoubleHoldsIsNamed() throws {
        func json(_ values: String, _ detail: String) -> Data {
            let matcher = #"{"type":"matcher","definition":{"key":"k","matcher":"gt","values":[1, \#(values)]}}"#
            let consequence = #"{"id":"x","type":"an","detail":{"n":[\#(detail)]}}"#
            return Data(
                #"{"version":1,"rules":[{"condition":\#(matcher),"consequences":[\#(consequence)]}]}"#.utf8)
        }
        let error = try #require(throws: MobileRulesError.self) { try RulesDocument(json: json("1e400", "1")) }
        #expect(error.code == .wrongType)
        #expect(error.place == "$.rules[0].condition.definition.values[1]")
        #expect(error.message.contains("beyond what a double can hold"))
        let warnings = try RulesDocument(json: json("1", "1e400")).warnings(under: .standard)
        #expect(warnings.map(\.place) == ["$.rules[0].consequences[0]"])
        #expect(warnings.first?.message.contains("beyond what a double can hold") == true)
    }

    @Test func aNumberThatALaterMemberReplacesDoesNotCount() throws {
        let detail = #"{"a":{"b":1e400,"b":1}}"#
        let json =
            #"{"version":1,"rules":[{"condition":{"type":"matcher","definition":{"key":"~type","matcher":"ex"}},"#
            + #""consequences":[{"id":"x","type":"an","detail":\#(detail)}]}]}"#
        let document = try RulesDocument(json: Data(json.utf8))
        #expect(document.rules[0].consequences.map(\.detail) == [["a": ["b": 1]]])
    }

    @Test func aDocumentIsNestedOnlySoDeep() throws {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        let error = try #require(throws: MobileRulesError.self) {
            try RulesDocument(json: Data(#"{"version":1,"rules":[],"x":\#(deep)}"#.utf8))
        }
        #expect(error.code == .invalidJSON)
        #expect(error.message.contains("nested too deep"))
        #expect(error.message.contains("512"))
    }

    /// Groups and a detail as deep as they may be, on a thread with as little stack as they come.
    @Test func aDeepDocumentNeedsLittleStack() async throws {
        let groups = (0..<MobileRulesLimits.conditionDepth).reduce(always) { member, _ in group("and", [member]) }
        // The document, the rules, the rule, its consequences, the consequence and the detail are around it.
        let detail = (0..<504).reduce("{%a" as JSValue) { value, level in level % 2 == 0 ? [value] : ["a": value] }
        let json = ECMAScript.jsonText(
            of: ["version": 1, "rules": [rule(groups, consequence("x", "an", ["a": detail]))]])
        let document = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: try? RulesDocument(json: Data(json.utf8))) }
            thread.stackSize = 128 * 1024
            thread.start()
        }
        let warnings = try #require(document).warnings(under: .standard)
        #expect(warnings.map(\.message) == ["a token is not closed: the whole text becomes empty."])
        #expect(try #require(document).rules.count == 1)
    }

    @Test func everyCutOfADocumentIsRefused() throws {
        let json = try rulesJSON([
            Self.good, rule(all(matcher("k", "eq", "é")), consequence("x", "add", ["eventdata": [:]])),
        ])
        for length in 0..<json.count {
            #expect(throws: MobileRulesError.self, "\(length) bytes") { try RulesDocument(json: json.prefix(length)) }
        }
    }

    @Test func nestingIsBoundedOnBothSides() throws {
        func nested(_ depth: Int) -> JSValue { (0..<depth).reduce(always) { member, _ in group("and", [member]) } }
        #expect(try document(rule(nested(MobileRulesLimits.conditionDepth), consequence("x"))).rules.count == 1)
        #expect(try holds(nested(MobileRulesLimits.conditionDepth)))
        let error = try #require(throws: MobileRulesError.self) {
            try document(rule(nested(MobileRulesLimits.conditionDepth + 1), consequence("x")))
        }
        #expect(error.code == .nestedTooDeep)
    }

    @Test(arguments: ["[", #"{"a":"#]) func hundredThousandLevelsAreRefused(opening: String) {
        let deep = String(repeating: opening, count: 100_000)
        for json in [deep, #"{"version": 1, "rules": [{"condition": "# + deep, #"{"version": 1, "rules": "# + deep] {
            let error = #expect(throws: MobileRulesError.self) { try RulesDocument(json: Data(json.utf8)) }
            #expect(error?.code == .invalidJSON)
        }
    }

    @Test func valuesOfAllKindsAreReadWhateverStandsBeforeThem() throws {
        let scalars: [JSValue] = [.null, true, 1, .integer(.max), 1.5, 1e300, "", "1", "true", [], [:]]
        let pairs = scalars.flatMap { first in scalars.map { [first, $0] as [JSValue] } }
        let lists = pairs.map { JSValue.array($0) }
        let objects = pairs.map { JSValue.object(["a": $0[0], "b": $0[1]]) }
        let detail: JSObject = ["lists": .array(lists), "objects": .array(objects)]
        let read = try document(rule(always, consequence("x", "an", .object(detail))))
        #expect(read.rules[0].consequences[0].detail == detail)
    }
}
