import ConvertECMAScript
import ConvertMobileRules
import Foundation
import Testing

/// What integers, doubles and texts have to answer though they are compared as plain rows and by numbers.
struct PlainRowsTests {
    /// A rule's text, and an event's that is canonically equivalent once both are lowercased.
    static let equivalents = [
        ("é", "e\u{301}"), ("e\u{301}", "É"), (";", "\u{37e}"), ("\u{37e}", ";"), ("`", "\u{1fef}"),
        ("k", "\u{212a}"), ("\u{212a}", "K"), ("a\r\n", "A\r\n"),
    ]

    @Test(arguments: equivalents) func equivalentTextsAreOne(rule: String, value: String) throws {
        let data: JSObject = ["t": .string(value)]
        #expect(try holds(matcher("t", "eq", .string(rule)), data))
        #expect(try !holds(matcher("t", "ne", .string(rule)), data))
        #expect(try holds(any(matcher("t", "eq", "other"), matcher("t", "eq", .string(rule))), data))
        #expect(try holds(all(matcher("t", "sw", .string(rule)), matcher("t", "ew", .string(rule))), data))
        #expect(try holds(matcher("t", "co", .string(rule)), data))
    }

    /// The event's text is plain, one rule's is and one's is not.
    @Test func aPlainTextIsSearchedForOneThatIsNot() throws {
        let data: JSObject = ["t": "plain;text"]
        #expect(try holds(matcher("t", "co", "\u{37e}"), data))
        #expect(try holds(all(matcher("t", "sw", "PLAIN"), matcher("t", "nc", "é")), data))
        #expect(try !holds(matcher("t", "ew", "é"), data))
    }

    @Test func aLineEndOfTwoCharactersIsOne() throws {
        let data: JSObject = ["t": "a\r\nb"]
        #expect(try holds(all(matcher("t", "co", "\r\n"), matcher("t", "nc", "\n"), matcher("t", "nc", "a\r")), data))
        #expect(try !holds(matcher("t", "ew", "\nb"), data))
    }

    @Test func bothZerosAreOne() throws {
        #expect(try holds(matcher("n", "eq", .number(-0.0)), ["n": .number(0.0)]))
        #expect(try holds(matcher("n", "eq", 0.5, .number(0.0)), ["n": .number(-0.0)]))
        #expect(try holds(matcher("n", "ge", .number(-0.0)), ["n": .number(0.0)]))
    }

    @Test func aValueOtherThanANumberDiffersFromEveryNumber() throws {
        let data: JSObject = ["n": .number(.nan)]
        #expect(try holds(matcher("n", "ne", 1.5), data))
        for name in ["eq", "gt", "ge", "lt", "le"] { #expect(try !holds(matcher("n", name, 1.5), data), "\(name)") }
    }

    /// The same bits under another type are another operand.
    @Test func operandsOfEveryTypeStandSideBySide() throws {
        let condition = matcher("v", "eq", 0, false, 1.5, "x")
        for value: JSValue in [0, "0", false, "no", 1.5, "1.5", "X"] {
            #expect(try holds(condition, ["v": value]), "\(value)")
        }
        #expect(try !holds(condition, ["v": true]))
        let none = matcher("v", "ne", 0, "x")
        #expect(try holds(none, ["v": 1]))
        #expect(try !holds(none, ["v": 0]))
        #expect(try !holds(none, ["v": "X"]))
    }

    @Test func valuesThatRepeatAndKeysThatShareThemAreKeptApart() throws {
        let rules = (0..<200).map {
            rule(matcher("k\($0 % 20)", "eq", .integer($0 / 20), .string("t\($0 / 20)")), consequence("x"))
        }
        let engine = MobileRulesEngine()
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        #expect(engine.matchingRules(for: event(["k3": 4])) == [83])
        #expect(engine.matchingRules(for: event(["k3": "T4", "k19": "9"])) == [83, 199])
        #expect(engine.matchingRules(for: event(["k20": 4])) == [])
    }
}
