import ConvertECMAScript
@testable import ConvertSwiftSDKCore
import Testing

struct VariableCastingTests {
    /// The variable `x` of a feature that declares it with `type`, where the variation brings `value`.
    private func cast(_ value: JSValue, as type: JSValue, castsTypes: Bool = true) throws -> JSValue? {
        let manager = try FeatureManager([
            "features": [feature("7", "new", ["x": type])], "experiences": [carrier("a", of: ["7"], ["x": value])],
        ])
        var visitor = manager.visitor()
        return manager.feature("new", for: &visitor, options: .located(), castsTypes: castsTypes).features.first?["x"]
    }

    static let booleans: [(JSValue, JSValue)] = [
        ("true", true), ("false", false), ("TRUE", true), ("FALSE", true), ("0", true), ("", false), (0, false),
        (1, true), (-0.0, false), (.null, false), ([], true), ([:], true), (true, true), (false, false),
        (" false", true),
    ]

    @Test(arguments: booleans) func aBooleanKnowsTwoTextsAndIsElseTruthiness(value: JSValue, expected: JSValue) throws {
        #expect(try cast(value, as: "boolean") == expected)
    }

    static let integers: [(JSValue, JSValue)] = [
        ("12", 12), ("12.9", 12), (12.9, 12), (-12.9, -12), (" 7x", 7), ("0x1F", 31), ("1e3", 1), (1e21, 1), (1e-7, 1),
        ("1,5", 1), (true, 1), (false, 0), ([3, 4], 3), (.null, .number(.nan)), ("", .number(.nan)),
        ("x", .number(.nan)), ("true", .number(.nan)), ([:], .number(.nan)),
    ]

    @Test(arguments: integers) func anIntegerIsParsedFromTheText(value: JSValue, expected: JSValue) throws {
        #expect(try cast(value, as: "integer") == expected)
    }

    static let floats: [(JSValue, JSValue)] = [
        ("1.5", 1.5), (1.5, 1.5), ("1,5", 1), ("-.5e1x", -5), ("0x1F", 0), (" Infinity!", .number(.infinity)),
        (true, 1), (false, 0), ([2.5, 1], 2.5), (.null, .number(.nan)), ("", .number(.nan)), ([:], .number(.nan)),
    ]

    @Test(arguments: floats) func aFloatIsParsedFromTheText(value: JSValue, expected: JSValue) throws {
        #expect(try cast(value, as: "float") == expected)
    }

    static let numbers: [JSValue] = [
        .number(-0.0), .number(.nan), .number(.infinity), .number(-.infinity), .number(.leastNonzeroMagnitude),
        .number(.greatestFiniteMagnitude),
        .number(3), 0.1, -2.5e-7, 1e21, 1e300, .integer(1 << 53 + 1), .integer(.max), .integer(.min),
    ]

    @Test(arguments: numbers) func aNumberIsTheFloatThatItsTextReadsAs(number: JSValue) {
        var casting = VariableCasting()
        let read = ECMAScript.parseFloat(ECMAScript.toString(number))
        guard let cast = casting.cast(number, to: .float).numberValue else {
            Issue.record("\(number) is cast to what is no number")
            return
        }
        #expect(cast == read || cast.isNaN && read.isNaN)
        #expect(cast.sign == read.sign || cast.isNaN)
    }

    static let texts: [(JSValue, JSValue)] = [
        ("x", "x"), (5, "5"), (1e21, "1e+21"), (true, "true"), (.null, "null"), ([1, [2, .null]], "1,2,"),
        ([:], "[object Object]"),
    ]

    @Test(arguments: texts) func aTextIsToString(value: JSValue, expected: JSValue) throws {
        #expect(try cast(value, as: "string") == expected)
    }

    static let documents: [(JSValue, JSValue)] = [
        (#"{"a": [1, null]}"#, ["a": [1, .null]]), ("[]", []), ("5", 5), (" 5 ", 5), ("true", true), ("null", .null),
        (#""5""#, "5"), ("[1,]", "[1,]"), ("{a: 1}", "{a: 1}"), ("", ""), ("NaN", "NaN"), (5, 5), (true, true),
        (.null, .null), (["a": "5"], ["a": "5"]), (["5"], ["5"]),
    ]

    @Test(arguments: documents) func textThatIsNoDocumentStaysText(value: JSValue, expected: JSValue) throws {
        #expect(try cast(value, as: "json") == expected)
    }

    @Test(arguments: ["number", "Boolean", "", 5, .null] as [JSValue])
    func aValueOfAnUnknownTypeStaysAsItIs(type: JSValue) throws {
        #expect(try cast("true", as: type) == "true")
    }

    @Test(arguments: ["boolean", "integer", "float", "string", "json"] as [JSValue])
    func withCastingOffAValueStaysAsItIs(type: JSValue) throws {
        for value in ["1", 1, .null, ["a"]] as [JSValue] {
            #expect(try cast(value, as: type, castsTypes: false) == value)
        }
    }

    @Test(arguments: [(true, 1), (false, "1")] as [(Bool, JSValue)])
    func allVariablesAreCastOrNoneIs(castsTypes: Bool, expected: JSValue) throws {
        let manager = try FeatureManager([
            "features": [feature("7", "new", ["x": "integer", "y": "integer"])],
            "experiences": [carrier("a", of: ["7"], ["x": "1", "y": "1"])],
        ])
        var visitor = manager.visitor()
        let found = manager.feature("new", for: &visitor, options: .located(), castsTypes: castsTypes)
        #expect(found.features.first?.variables == ["x": expected, "y": expected])
    }

    @Test func castingTwiceGivesTheSameAndLeavesTheConfigAlone() throws {
        let manager = try FeatureManager([
            "features": [feature("7", "new", ["x": "json"])],
            "experiences": [carrier("a", of: ["7"], ["x": #""\"5\"""#])],
        ])
        var visitor = manager.visitor()
        let values = [true, true, false].map {
            manager.feature("new", for: &visitor, options: .located(), castsTypes: $0).features.first?["x"]
        }
        #expect(values == [#""5""#, #""5""#, #""\"5\"""#])
    }

    @Test func aVariableThatIsNotDeclaredStaysAsItIs() throws {
        let manager = try FeatureManager([
            "features": [feature("7", "new", ["x": "integer"])],
            "experiences": [carrier("a", of: ["7"], ["x": "1", "y": "1"])],
        ])
        #expect(manager.feature("new").features.first?.variables == ["x": 1, "y": "1"])
    }

    @Test(arguments: [nil, .null, "x", 5, ["1"]] as [JSValue?])
    func variablesOfAnotherShapeStayAsTheyAre(variables: JSValue?) throws {
        let manager = try FeatureManager([
            "features": [feature("7", "new", ["x": "integer"])], "experiences": [carrier("a", of: ["7"], variables)],
        ])
        #expect(manager.feature("new").features.map(\.variables) == [variables])
    }

    @Test func aValueThatItsTypeKeepsIsNotConverted() {
        var casting = VariableCasting()
        let types: [VariableType] = [.boolean, .integer, .float, .string, .json]
        let values: [JSValue] = [
            .null, true, 5, -5, .integer(.max), 0.5, .number(-0.0), "", "true", "5", [1], ["a": 1],
        ]
        var kept = 0
        for type in types {
            for value in values where type.keeps(value) {
                #expect("\(casting.cast(value, to: type))" == "\(value)")
                kept += 1
            }
        }
        #expect(kept == 1 + 2 + 2 + 3 + 3)
    }
}
