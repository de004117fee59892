import ConvertECMAScript
import ConvertMobileRules
import Testing

struct TokenTests {
    static let texts: [(text: String, result: String)] = [
        ("plain", "plain"), ("", ""), ("{%a%}", "A b"), ("x{%a%}y{%n%}", "xA by42"), ("{%missing%}", ""),
        ("{% a %}", ""), ("{%%}", ""), ("{%%a%%}", ""), ("{{%n%}}", "{42}"), ("{%n", ""), ("kept {%n%} {%", ""),
        ("%} kept", "%} kept"), ("{%}", ""), ("{%a{%n%}%}", "%}"), ("{%urlenc(a)%}", "A%20b"),
        ("{%urlenc( a )%}", "A%20b"), ("{%urlenc(n)%}", "42"), ("{%urlenc(é)%}", "%C3%A9"), ("{%int(d)%}", "1"),
        ("{%int(a)%}", "A b"), ("{%double(n)%}", "42.0"), ("{%bool(t)%}", "true"), ("{%bool(missing)%}", "false"),
        ("{%string(d)%}", "1.5"), ("{%nope(n)%}", "42"), ("{%urlenc(string(a))%}", ""), ("{%(a)%}", ""),
        ("{%o.k%}", "deep"), ("{%token%}", "{%n%}"), ("{%o%}", ""), ("{%~type%}", "track"), ("{%t%}", "true"),
        ("{%int(t)%}", "1"), ("{%e%}", "1e-07"), ("{%whole%}", "22.0"),
    ]

    @Test(arguments: texts) func tokensAreReplacedByTheTextOfWhatTheyName(text: String, result: String) throws {
        let data: JSObject = [
            "a": "A b", "n": 42, "d": 1.5, "t": true, "o": ["k": "deep"], "token": "{%n%}", "é": "é", "e": 1e-7,
            "whole": .number(22),
        ]
        let engine = try engine(
            rule(always, consequence("x", "an", ["v": .string(text), "l": [.string(text), ["{%n%}": .string(text)]]])))
        let detail = engine.evaluate(event(data))[0].detail
        let expected = JSValue.string(result)
        #expect(detail == ["v": expected, "l": [expected, ["{%n%}": expected]]])
    }

    @Test func tokensOfAnEventWithoutDataAreEmpty() throws {
        let engine = try engine(rule(always, consequence("x", "an", ["v": "<{%a%}|{%~all_json%}>"])))
        #expect(engine.evaluate(event(nil))[0].detail == ["v": "<|>"])
    }

    @Test func theCacheBusterIsNewForEveryRead() throws {
        let numbers = Counter()
        let engine = try engine(rule(always, consequence("x", "an", ["v": "{%~cachebust%} {%~cachebust%}"]))) {
            $0.random = { numbers.next() }
        }
        #expect(engine.evaluate(event())[0].detail == ["v": "1 2"])
    }

    /// Of two paths to one name the one met last counts, for conditions and tokens alike.
    @Test func tokensReadWhatConditionsRead() throws {
        let inner: (String, JSValue) = ("a", ["b.c": 1, "b": ["c": 2]])
        let whole: (String, JSValue) = ("a.b", ["c": 3])
        let null: (String, JSValue) = ("a.b.c", .null)
        let rules = (1...3).map {
            rule(matcher("a.b.c", "eq", .integer($0)), consequence("\($0)", "an", ["v": "{%a.b.c%}"]))
        }
        for (members, expected) in [([inner, whole, null], "3"), ([whole, null, inner], "2"), ([null, whole], "3")] {
            let engine = try engine(rules[0], rules[1], rules[2])
            let consequences = engine.evaluate(event(JSObject(members)))
            #expect(consequences.map(\.id) == [expected])
            #expect(consequences.map(\.detail) == [["v": .string(expected)]])
        }
    }
}
