import ConvertECMAScript
@testable import ConvertMobileRules
import Foundation
import Testing

struct MisspeltMembersTests {
    private typealias Misspelt = (rule: JSValue, place: String, meant: String)

    private static func definition(
        _ type: String, _ definition: JSObject, _ member: String, _ meant: String
    ) -> Misspelt {
        (rule(condition(type, definition)), "$.rules[0].condition.definition.\(member)", meant)
    }

    private static func detail(_ type: String, _ detail: JSValue, _ member: String, _ meant: String) -> Misspelt {
        (rule(always, consequence("x", type, detail)), "$.rules[0].consequences[0].detail.\(member)", meant)
    }

    private static func historical(_ more: JSObject, _ member: String, _ meant: String) -> Misspelt {
        (
            rule(ConvertMobileRulesTests.historical([["a": 1]], "ge", 1, more)),
            "$.rules[0].condition.definition.\(member)", meant
        )
    }

    private static let definitions: [Misspelt] = [
        definition("matcher", ["Key": "k", "matcher": "ex"], "Key", "key"),
        definition("matcher", ["key": "k", "keys": ["l"], "matcher": "ex"], "keys", "key"),
        definition("matcher", ["key": "k", "matchers": "ex"], "matchers", "matcher"),
        definition("matcher", ["key": "k", "matcher": "eq", "value": 5], "value", "values"),
        definition("matcher", ["event_key": "k", "matcher": "ex"], "event_key", "key"),
        definition("group", ["Logic": "and", "conditions": []], "Logic", "logic"),
        definition("group", ["logic": "and", "condition": []], "condition", "conditions"),
        definition("historical", ["event": [["a": 1]], "matcher": "ge", "value": 1], "event", "events"),
        definition("historical", ["events": [["a": 1]], "matcher": "ge", "values": [1]], "values", "value"),
        historical(["search_type": "ordered"], "search_type", "searchType"),
        historical(["searchtype": "ordered"], "searchtype", "searchType"),
        historical(["form": 1], "form", "from"), historical(["too": 1], "too", "to"),
    ]

    private static let frames: [Misspelt] = [
        (["condition": always, "consequences": [], "Meta": [:]], "$.rules[0].Meta", "meta"),
        (
            ["condition": always, "consequences": [], "meta": ["reevaluate": true]], "$.rules[0].meta.reevaluate",
            "reEvaluate"
        ),
        (
            rule(["type": "matcher", "definition": ["key": "~type", "matcher": "ex"], "Type": 1]),
            "$.rules[0].condition.Type", "type"
        ),
        (rule(always, ["id": "x", "typ": "an", "detail": [:]]), "$.rules[0].consequences[0].typ", "type"),
        (rule(always, ["id": "x", "type": "an", "details": [:]]), "$.rules[0].consequences[0].details", "detail"),
    ]

    private static let insert: JSValue = [
        "id": "i", "schema": "https://ns.adobe.com/personalization/eventHistoryOperation",
        "data": ["operations": "insert", "content": ["a": 1]],
    ]

    private static let details: [Misspelt] = [
        detail("add", ["eventData": [:]], "eventData", "eventdata"),
        detail("mod", ["event_data": [:]], "event_data", "eventdata"),
        detail("dispatch", ["eventType": "t", "source": "s", "eventdataaction": "copy"], "eventType", "type"),
        detail(
            "dispatch", ["type": "t", "source": "s", "eventDataAction": "copy"], "eventDataAction", "eventdataaction"),
        detail("schema", ["id": "i", "schemas": "s", "data": [:]], "schemas", "schema"),
        detail("schema", insert, "data.operations", "operation"),
        detail("csp", ["operation": "write", "key": "k", "values": 1], "values", "value"),
        detail("pb", ["templateUrl": "https://a.example"], "templateUrl", "templateurl"),
        detail("pii", ["templateurl": "https://a.example", "contentType": "t"], "contentType", "contenttype"),
        detail("url", ["URL": "app://a"], "URL", "url"),
        detail("iam", ["template": "alert", "titel": "t"], "titel", "title"),
        detail("an", ["contextData": [:]], "contextData", "contextdata"),
    ]

    /// Rules, the place of the misspelt member of each, and what it was meant to be.
    private static let misspelt = definitions + frames + details

    private static func misspellings(_ rules: JSValue...) throws -> [MobileRulesWarning] {
        let document = try RulesDocument(json: rulesJSON(rules))
        #expect(document.warnings(under: .standard).count == document.warnings(under: .reference).count)
        return document.warnings(under: .standard).filter { $0.message.contains("did you mean") }
    }

    @Test(arguments: misspelt.indices) func aMisspeltMemberIsWarnedOfWithItsPlace(index: Int) throws {
        let (rule, place, meant) = Self.misspelt[index]
        let warnings = try Self.misspellings(rule)
        #expect(warnings.map(\.place) == [place])
        #expect(warnings.map(\.ruleIndex) == [0])
        #expect(warnings.first?.message.hasSuffix("did you mean '\(meant)'?") == true)
    }

    @Test func aMisspeltMemberOfTheDocumentBelongsToNoRule() throws {
        let warnings = try RulesDocument(json: Data(#"{"version": 1, "rules": [], "Rules": []}"#.utf8))
            .warnings(under: .standard)
        #expect(warnings.map(\.place) == ["$.Rules"])
        #expect(warnings.map(\.ruleIndex) == [nil])
    }

    /// Members that a document may have for other readers, and details that an app reads as it likes.
    static let unsuspicious: [JSValue] = [
        ["condition": always, "consequences": [], "id": "r", "name": "n", "description": "d", "meta": ["name": "n"]],
        rule(condition("matcher", ["key": "k", "matcher": "eq", "values": [1], "comment": "c", "type": "t"])),
        rule(always, ["id": "x", "type": "an", "detail": [:], "name": "n", "assets": []]),
        rule(always, consequence("x", "cjmiam", ["Template": "t", "eventData": [:]])),
        rule(always, consequence("x", "add", ["eventdata": ["eventData": 1, "keys": 2]])),
        rule(always, consequence("x", "schema", ["id": "i", "schema": "s", "data": ["Operation": "o"]])),
        rule(
            always,
            consequence("x", "dispatch", ["type": "t", "source": "s", "eventdataaction": "copy", "eventType": "e"])),
        rule(ConvertMobileRulesTests.historical([["From": 1, "values": 2]], "ge", 1)),
    ]

    @Test(arguments: unsuspicious) func anotherMemberIsNotWarnedOf(rule: JSValue) throws {
        #expect(try Self.misspellings(rule).isEmpty)
    }

    @Test func membersOutsideRulesAreNotWarnedAbout() throws {
        let inner = condition("group", ["Logic": "and"])
        let ignored = condition("matcher", ["key": "k", "matcher": "ex", "conditions": [inner]])
        #expect(try Self.misspellings(rule(ignored)).isEmpty)
    }

    @Test func theNameInAWarningIsOnOneLine() throws {
        let warnings = try Self.misspellings(rule(condition("matcher", ["key\u{2028}": "k", "matcher": "ex"])))
        #expect(warnings.first?.message == #"'key\u{2028}' is unknown here; did you mean 'key'?"#)
    }

    static let missing: [(json: String, place: String, name: String)] = [
        (#"{"Version": 1, "rules": []}"#, "$.version", "Version"), (#"{"version": 1, "rule": []}"#, "$.rules", "rule"),
        (
            #"{"version": 1, "rules": [{"conditions": {}, "consequences": []}]}"#, "$.rules[0].condition", "conditions"
        ),
        (
            #"{"version": 1, "rules": [{"condition": {"type": "matcher", "definitions": {}}}]}"#,
            "$.rules[0].condition.definition", "definitions"
        ),
        (
            #"{"version": 1, "rules": [{"condition": {"conditionType": "matcher", "definition": {}}}]}"#,
            "$.rules[0].condition.type", "conditionType"
        ),
    ]

    @Test(arguments: missing)
    func aMissingMemberIsReportedWithTheNameThatMayStandForIt(json: String, place: String, name: String) {
        let error = #expect(throws: MobileRulesError.self) { try RulesDocument(json: Data(json.utf8)) }
        #expect(error?.code == .missingMember)
        #expect(error?.place == place)
        #expect(error?.message.hasSuffix("Is '\(name)' a misspelling of it?") == true)
    }

    @Test(arguments: ["eventType", "Type", "event_type"]) func anEventsMissingMemberIsReportedLikewise(name: String) {
        let json = #"{"\#(name)": "t", "source": "s"}"#
        let error = #expect(throws: MobileRulesError.self) { try MobileEvent(json: Data(json.utf8)) }
        #expect(error?.place == "$.type")
        #expect(error?.message.contains("'\(name)'") == true)
    }

    @Test(arguments: [0, 1]) func namesAreComparedUpToABound(excess: Int) throws {
        // Besides the one that is misspelt.
        let others = (0..<(RulesReader.comparedNames - 1 + excess)).map { #""other\#($0)":0"# }.joined(separator: ",")
        let json = #"{"version":1,"rules":[],\#(others),"Rules":0}"#
        let warnings = try RulesDocument(json: Data(json.utf8)).warnings(under: .standard)
        #expect(warnings.map(\.place) == (excess == 0 ? ["$.Rules"] : []))
    }

    /// Two of the recorded documents are misspelt on purpose, in `eventdata_xyz`.
    @Test(arguments: ["mobile-rules", "mobile-rules-documented"])
    func noSoundDocumentAmongTheRecordedIsTakenForMisspelt(name: String) throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../TestVectors/mobileRules/\(name).json")
            .standardized
        let vectors = try JSONDecoder().decode(JSValue.self, from: Data(contentsOf: file))
        let cases = try #require(vectors.objectValue?["cases"]?.arrayValue)
        var count = 0
        for testCase in cases {
            guard let rules = testCase.objectValue?["rules"] else { continue }
            count += 1
            guard let document = try? RulesDocument(json: Data(ECMAScript.jsonText(of: rules).utf8)) else { continue }
            let warnings = document.warnings(under: .reference).filter { $0.message.contains("did you mean") }
            let others = warnings.filter { !$0.place.hasSuffix(".eventdata_xyz") }
            #expect(others.isEmpty, "\(testCase.objectValue?["name"]?.stringValue ?? "")")
        }
        #expect(count > 2)
    }
}
