import ConvertECMAScript
import ConvertMobileRules
import Testing

struct ConditionTests {
    static let unusable: [JSValue] = [
        matcher("k", "zz", 1), condition("matcher", ["key": "k"]), condition("matcher", ["matcher": "eq"]),
        matcher("k", "eq", .null), matcher("k", "ex", .null), condition("group", ["logic": "and"]),
        condition("group", ["conditions": [always]]), group("and", []), historical([], "zz", 1),
        historical([], "eq", 1.5), condition("historical", ["events": [], "matcher": "eq"]),
    ]

    @Test(arguments: unusable) func aConditionThatCannotBeUnderstoodNeverHolds(condition: JSValue) throws {
        #expect(try !holds(condition))
        #expect(try !holds(all(always, condition)))
        #expect(try holds(any(always, condition)))
    }

    @Test(arguments: unusable) func theReferenceDropsAnUnusableCondition(condition: JSValue) throws {
        #expect(try !holds(condition) { $0.semantics = .reference })
        #expect(try holds(all(always, condition)) { $0.semantics = .reference })
        #expect(try !holds(all(condition, all(condition))) { $0.semantics = .reference })
    }

    @Test func noneOfTheseNeedsAllOfThemToBeComparable() throws {
        #expect(try !holds(matcher("k", "ne", "a", .null), ["k": "b"]))
        #expect(try holds(matcher("k", "ne", "a", .null), ["k": "b"]) { $0.semantics = .reference })
        #expect(try holds(matcher("k", "eq", "b", .null), ["k": "b"]))
    }

    @Test(arguments: ["eq", "co", "sw", "ew"]) func everyLetterIsComparedWithoutRegardToCase(name: String) throws {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        #expect(try holds(matcher("k", name, .string(letters)), ["k": .string(letters.uppercased())]))
    }

    @Test func eachConditionOnARandomNumberReadsANewOne() throws {
        let numbers = Counter()
        let engine = try engine(
            rule(matcher("~cachebust", "eq", 1), consequence("first")),
            rule(matcher("~cachebust", "eq", 1), consequence("second"))
        ) { $0.random = { numbers.next() } }
        #expect(engine.evaluate(event()).map(\.id) == ["first"])
    }

    @Test func anUnknownLogicNeverHolds() throws {
        #expect(try !holds(group("AND", [always])))
        #expect(try holds(any(group("xor", [always]), always)))
    }

    @Test func conditionsSeeTheEventAsItCameIn() throws {
        let engine = try engine(
            rule(always, consequence("m", "mod", ["eventdata": ["a": 2]])),
            rule(matcher("a", "eq", 2), consequence("no")), rule(matcher("a", "eq", 1), consequence("yes")))
        let result = engine.process(event(["a": 1]))
        #expect(result.consequences.map(\.id) == ["m", "yes"])
        #expect(result.event.data == ["a": 2])
    }

    static let keys: [(key: String, data: JSObject?, value: JSValue)] = [
        ("o.k", ["o": ["k": 1]], 1), ("l.1", ["l": [0, 7]], 7), ("l.0.k", ["l": [["k": "x"]]], "x"),
        ("a.b.c", ["a.b": ["c": 1]], 1), ("~type", ["~type": "shadow"], "track"), ("~source", [:], "app"),
        ("~other", ["~other": 3], 3), ("~timestampu", nil, 1_700_000_000), ("~sdkver", nil, "9.9"),
        ("~timestampz", nil, "2023-11-14T22:13:20Z"), ("~timestampp", nil, "2023-11-14T22:13:20.000Z"),
        ("~all_url", ["b": "x y", "a": ["k": [1, true]]], "a.k=1,true&b=x%20y"), ("~all_url", nil, ""),
        ("~all_json", ["b": "/\"", "a": [22.0, .null]], #"{"a":[22,null],"b":"\/\""}"#), ("~cachebust", [:], "42"),
        ("~state.s/a", [:], 1), ("~state.s/o.k", [:], 2), ("~state.s/p/q", [:], 3), ("~state.s/l.1", [:], 5),
    ]

    @Test(arguments: keys) func aKeyReadsWhatItNames(key: String, data: JSObject?, value: JSValue) throws {
        let state: JSObject = ["a": 1, "o": ["k": 2], "p/q": 3, "l": [4, 5]]
        #expect(
            try holds(matcher(key, "eq", value), data) {
                $0.sdkVersion = "9.9"
                $0.random = { 42 }
                $0.sharedStates = FixedSharedStates(["s": state])
            })
    }

    static let missingKeys = [
        "a", "o", "l", "l.2", "l.01", "n", "o.", ".k", "~state./k", "~state.s/", "~state/k", "~state.s", "~state.s/o",
        "~state.other/a", "~stateXs/a", "(a)", "o..k", "",
    ]

    @Test(arguments: missingKeys) func aKeyThatNamesNothingIsMissing(key: String) throws {
        let data: JSObject = ["o": ["k": 1], "l": [0, 7], "n": .null]
        let states = FixedSharedStates(["s": ["a": 1, "o": ["k": 2]]])
        #expect(try holds(matcher(key, "nx"), data) { $0.sharedStates = states })
        #expect(try !holds(matcher(key, "ex"), data) { $0.sharedStates = states })
    }

    @Test func everyPlainKeyOfAnEventWithoutDataReadsAsAnEmptyText() throws {
        #expect(try holds(all(matcher("k", "ex"), matcher("k", "eq", ""), matcher("k", "ne", "x")), nil))
        #expect(try !holds(any(matcher("k", "nx"), matcher("k", "eq", 0), matcher("k", "ne", 0)), nil))
    }

    @Test func theLocalTimeNamesItsOffset() throws {
        #expect(
            try holds(matcher("~timestampz", "eq", "2020-10-28T09:08:32-0800")) {
                $0.now = { 1_603_904_912_301 }
                $0.secondsFromGMT = { _ in -28_800 }
            })
        for (milliseconds, text) in [
            (Int64(-1), "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_102_444_800_000, "2100-01-01T00:00:00.000Z"), (.max, "9999-12-31T23:59:59.999Z"),
        ] {
            #expect(try holds(matcher("~timestampp", "eq", .string(text))) { $0.now = { milliseconds } }, "\(text)")
        }
    }

    @Test func explainingReportsTheValueOfEveryCondition() throws {
        let engine = try engine(rule(all(matcher("a", "gt", 1), matcher("zz", "zz"), historical([["k": 1]], "eq", 0))))
        let rule = engine.explain(event(["a": 5])).rules[0]
        #expect(!rule.matches)
        #expect(rule.condition.conditions.map(\.holds) == [true, false, true])
        #expect(rule.condition.conditions[0].value == 5)
        #expect(rule.condition.conditions[2].count == 0)
    }
}
