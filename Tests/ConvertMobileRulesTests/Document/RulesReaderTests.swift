import ConvertECMAScript
import ConvertMobileRules
import Testing

struct RulesReaderTests {
    private func warnings(_ rules: JSValue...) throws -> [MobileRulesWarning] {
        try RulesDocument(json: rulesJSON(rules)).warnings(under: .standard)
    }

    static let longKey = String(repeating: "k", count: MobileRulesLimits.keyLength + 1)

    static let faulty: [(text: String, fault: String)] = [
        ("{%a", "not closed"), ("{%a%} {%", "not closed"), ("{%x{%a%}%}", "within another"),
        ("{%foo(a)%}", "function"), ("{%URLENC(a)%}", "function"), ("{%\(longKey)%}", "key"),
        ("{%urlenc(\(longKey))%}", "key"), ("{%~state.s%}", "key"), ("{%(a)%}", "key"),
    ]

    @Test(arguments: faulty) func aFaultyTokenIsReportedOnce(text: String, fault: String) throws {
        let detail: JSValue = ["u": .string(text)]
        let warnings = try warnings(rule(always), rule(always, consequence("x", "an", detail)))
        #expect(warnings.map(\.place) == ["$.rules[1].consequences[0].detail.u"])
        #expect(warnings.map(\.ruleIndex) == [1])
        #expect(warnings.first?.message.contains(fault) == true)
    }

    @Test(arguments: ["", "{", "{}", "%}", "{%a%}", "{%urlenc( a )%}", "{%~state.s/k%}", "{%a%}{%b%} {c}", "{% %}"])
    func aValidTextIsNotReported(text: String) throws {
        #expect(try warnings(rule(always, consequence("x", "an", ["u": .string(text)]))).isEmpty)
    }

    @Test func eachKindOfFaultInATextIsReportedOnce() throws {
        let text = "{%f(a)%}{%f(b)%}{%~state.s%}{%f(c)%}{%~state.t%}{%open"
        #expect(try warnings(rule(always, consequence("x", "an", ["u": .string(text)]))).count == 3)
    }

    @Test func aTokensPlaceCountsTheConsequencesThatWereLeftOut() throws {
        let warnings = try warnings(
            rule(
                always, ["id": 5, "type": "an", "detail": [:]], consequence("a"), ["type": "an", "detail": [:]],
                consequence("b", "an", ["l": [1, ["t": "{%a"]]]), ["id": "c", "type": "an"]))
        let list = "$.rules[0].consequences"
        #expect(
            warnings.map(\.place) == ["\(list)[0]", "\(list)[2]", "\(list)[3].detail.l[1].t", "\(list)[4]"])
    }

    @Test func faultyTokensAreBoundedWithTheOtherWarnings() throws {
        let texts = JSValue.array(Array(repeating: "{%a", count: 1_000))
        #expect(try warnings(rule(always, consequence("x", "an", ["l": texts]))).count == MobileRulesLimits.warnings)
    }

    static let never: [(condition: JSValue, place: String)] = [
        (matcher("k", "gt", "2"), ".values[0]"), (matcher("k", "le", 1, true), ".values[1]"),
        (matcher("k", "ge"), ""), (matcher("k", "co", 5), ".values[0]"), (matcher("k", "sw", "a", 1.5), ".values[1]"),
        (matcher("k", "nc", "a", false), ".values[1]"), (matcher("k", "nc", .null), ""),
        (historical([["a": 1]], "co", 1), ".matcher"), (historical([["a": 1]], "ex", 1), ".matcher"),
        (historical([["a": 1]], "ge", 1, ["searchType": "Ordered"]), ".searchType"),
    ]

    @Test(arguments: never) func aConditionThatCannotHoldIsReported(condition: JSValue, place: String) throws {
        let warnings = try warnings(rule(all(always, condition)))
        #expect(warnings.count == 1)
        let path = "$.rules[0].condition.definition.conditions[1]"
        #expect(warnings.first?.place.hasPrefix(path) == true)
        #expect(warnings.first?.place.hasSuffix(place) == true)
    }

    static let sound: [JSValue] = [
        matcher("k", "gt", 1, 2.5), matcher("k", "co", "a"), matcher("k", "co"), matcher("k", "eq", "a", 1, 1.5, true),
        matcher("k", "ne", true), matcher("k", "ex"), matcher("k", "nx", 1),
        historical([["a": 1]], "ge", 1), historical([["a": 1]], "eq", 1, ["searchType": "mostRecent"]),
    ]

    @Test(arguments: sound) func aConditionThatCanHoldIsNotReported(condition: JSValue) throws {
        #expect(try warnings(rule(condition)).isEmpty)
    }
}
