import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport

/// Conditions on few attributes with values that meet each other often, and all values that they are tried on.
enum RandomConditions {
    private static let operands: [JSValue] = [
        "a", "A", "ab", "b", "B", "", " ", "1", "5", 5, 5.5, -1, 0, 10, "10", "-1", "0,500", "1,000", true, false,
        .null,
        "true", "a|b", "A|1", ["a", "B"], ["a", 5], [:], ["toString": 1], "null", ".", "k", "σ", "i̇", "é",
        "[object object]",
    ]
    private static let patterns = [
        "^a", "b$", "^\\d+$", "a|b", "^$", "[^a-z]", "^.$", "^..$", "(", "\\bab\\b", "^[A-Z]+$", "a{2,3}", "x^",
        "(?=a)b", "(a)\\1",
    ]
    private static let javaScriptOperators = [
        "equals", "equalsNumber", "matches", "less", "lessEqual", "contains", "isIn", "startsWith", "endsWith",
        "regexMatches", "exists", "not_exists", "doesNotExist",
    ]
    private static let mobileOperators = ["eq", "ne", "ex", "nx", "gt", "ge", "lt", "le", "co", "nc", "sw", "ew"]

    /// Limits that are soon reached: what exceeds them is undecided, and tests of answers lose nothing but time.
    static let limits: AnalysisLimits = {
        var limits = AnalysisLimits()
        limits.states = 400
        limits.assignments = 200
        limits.transitions = 1_000_000
        return limits
    }()

    static func condition(
        _ random: inout SeededGenerator, key: String = "x", semantics: RuleSemantics
    ) -> RuleCondition {
        let isMobile = semantics == .standard && random.happens(15)
        let matchType = random.pick(isMobile ? mobileOperators : javaScriptOperators)
        let value: JSValue = matchType == "regexMatches" ? .string(random.pick(patterns)) : random.pick(operands)
        return RuleCondition(key: key, matchType: matchType, value: value, negation: random.happens(40))
    }

    /// Values of every kind that the conditions above tell apart.
    static let values: [JSValue?] = {
        let texts = [
            "", " ", "a", "A", "b", "B", "ab", "AB", "ba", "aa", "aaa", "abab", "1", "5", "5.5", "-1", "10", "0", "4.9",
            "0.5", "0,500", "1,000", "1000", "1e3", "100000", "-0", ".5", "5.", "true", "TRUE", "false", "null", "a|b",
            "B|1",
            "c|a", "k", "\u{212A}", "K", "σ", "ς", "Σ", "aΣ", "İ", "i̇", "é", "e\u{301}", "😀", "x", "zz", "ab c", "a b",
            ".", "a,b",
            "5,a", "[object Object]", "-", "1.", "a1",
        ]
        let scalars: [JSValue] =
            texts.map { .string($0) } + [
                .null, true, false, 0, 1, 5, 5.5, -1, 10, 4.999, 10.5, 100, -0.5, 1e21, 1e-7, 1000, 0.5, 11, 6, -2,
                .number(.infinity), .number(-.infinity), 123456789,
            ]
        let arrays: [JSValue] = [
            [], ["a"], ["A"], ["a", "b"], ["a", 5], [5], ["5"], [.null], [[]], [true], ["ab"], ["a|b"],
            ["b", "a", "B"], ["", ""],
            [["toString": 1]], ["a", ["toString": 1]], [["a"]], ["a", "B", 5, true, .null], [10, "x"], [-1], [0],
            ["1", "10"],
        ]
        let objects: [JSValue] = [
            [:], ["a": 1], ["A": 1], ["a": 1, "b": 1], ["5": 1], ["true": 1], ["toString": 1], ["a": 1, "toString": 1],
            ["z": 1], ["": 1], [" ": 1, "10": 2],
        ]
        return [nil] + (scalars + arrays + objects).map(Optional.some)
    }()
}
