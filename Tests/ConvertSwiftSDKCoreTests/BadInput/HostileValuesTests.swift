import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

struct HostileValuesTests {
    /// An attribute, an operator with its value, and what the reference answers, plain and negated.
    static let numbers: [(attribute: JSValue, matchType: String, value: JSValue, plain: Bool, negated: Bool)] = [
        (.number(.nan), "equals", "NaN", true, false),
        (.number(.nan), "less", 5, false, true),
        (.number(.nan), "lessEqual", .number(.nan), false, true),
        (.number(.nan), "less", "abc", false, false),
        (.number(.nan), "isIn", "NaN|x", false, true),
        (.number(.nan), "exists", .null, true, false),
        (5, "less", .number(.nan), false, true),
        (.number(.infinity), "less", 5, false, true),
        (.number(-.infinity), "less", 5, true, false),
        (.number(.infinity), "lessEqual", .number(.infinity), true, false),
        (.number(.infinity), "equals", "infinity", true, false),
        (.number(-.infinity), "equals", "-Infinity", true, false),
        (.number(-0.0), "equals", "0", true, false),
        (.number(-0.0), "equals", "-0", false, true),
        (.number(-0.0), "less", 0, false, true),
        (.number(-0.0), "lessEqual", 0, true, false),
        (0, "equals", .number(-0.0), true, false),
        ([.number(.nan)], "equals", .number(.nan), false, true),
        ([0], "equals", .number(-0.0), true, false),
        (9_007_199_254_740_993, "equals", "9007199254740992", true, false),
        (9_007_199_254_740_993, "equals", "9007199254740993", false, true),
        (9_007_199_254_740_993, "equals", 9_007_199_254_740_992, true, false),
        (9_007_199_254_740_993, "less", 9_007_199_254_740_992, false, true),
        (.integer(.max), "equals", "9223372036854775807", false, true),
        (.integer(.max), "equals", "9223372036854776000", true, false),
        (.integer(.min), "less", .integer(.max), true, false),
        (1e308, "less", .number(.infinity), true, false),
        (1e21, "equals", "1e+21", true, false),
    ]

    @Test(arguments: numbers)
    func unusualNumbersAreComparedAsInTheReference(
        attribute: JSValue, matchType: String, value: JSValue, plain: Bool, negated: Bool
    ) {
        #expect(holds(matchType, value, attribute: attribute, .javaScript) == plain)
        #expect(holds(matchType, value, attribute: attribute, negated: true, .javaScript) == negated)
    }

    @Test(arguments: ["eq", "ne", "gt", "ge", "lt", "le", "co", "nc", "sw", "ew", "ex", "nx"])
    func mobileMatchersTakeUnusualNumbersWithoutATrap(matcher: String) {
        let numbers: [JSValue] = [
            .number(.nan), .number(.infinity), .number(-.infinity), .number(-0.0), .integer(.max), .integer(.min),
            1e308,
        ]
        for attribute in numbers {
            for value in numbers {
                let plain = holds(matcher, value, attribute: attribute)
                #expect(holds(matcher, value, attribute: attribute, negated: true) != plain)
            }
        }
    }

    /// A fourth of a megabyte; ten with CONVERT_CASES=2.
    private static let size = inputSize(10_000_000, plain: 250_000)

    @Test func aLongTextIsSearchedWhateverTheNeedle() {
        let text = String(repeating: "a", count: Self.size)
        // Fails in its middle at every place: quadratic for the plain search.
        let half = String(repeating: "a", count: 10_000)
        #expect(!holds("contains", .string(half + "b" + half), attribute: .string(text)))
        #expect(holds("contains", .string(half + "b" + half), attribute: .string(text + "b" + half)))
    }

    @Test func aLongTextIsComparedByEveryOperator() {
        let text = JSValue.string(String(repeating: "é", count: Self.size / 20) + "|x")
        for matchType in ["equals", "startsWith", "endsWith", "lessEqual", "isIn", "contains"] {
            #expect(holds(matchType, text, attribute: text, .javaScript), "\(matchType)")
        }
    }

    @Test func aTextOfManyPartsIsFoundInALongList() {
        let parts = (0..<20_000).map { "part-\($0)" }
        let list = JSValue.string(parts.joined(separator: "|"))
        #expect(
            holds("isIn", list, attribute: .string((0..<5_000).map { "x\($0)" }.joined(separator: "|") + "|part-7")))
        #expect(!holds("isIn", list, attribute: .string((0..<5_000).map { "x\($0)" }.joined(separator: "|"))))
    }

    @Test func manyAttributesThatNoRuleReadsAreIgnored() throws {
        let members: JSObject = [
            "audiences": [audience("a", asking: "x")], "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        var attributes = JSObject((0..<50_000).map { ("attribute-\($0)", JSValue.integer($0)) })
        attributes["x"] = "yes"
        #expect(try ExperienceManager(members).decide("e", attributes).variation != nil)
    }

    @Test(arguments: [
        "", "\u{0}", "\u{feff}", "😀", String(repeating: "v", count: inputSize(1_000_000, plain: 250_000)),
    ])
    func anyTextCanBeTheIDOfAVisitor(id: String) throws {
        let manager = try ExperienceManager(["experiences": [experience("e")]])
        var visitor = manager.visitor(id: id)
        #expect((manager.selectVariation("e", for: &visitor).variation == nil) == id.isEmpty)
    }
}
