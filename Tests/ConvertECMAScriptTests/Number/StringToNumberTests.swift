import ConvertECMAScript
import Testing

struct StringToNumberTests {
    static let literals: [(text: String, number: Double)] = [
        ("", 0), (" \u{feff}\u{2028}\n", 0), ("5", 5), (" 5\u{a0}", 5), ("+5", 5), ("-5", -5), ("-0", -0.0), ("007", 7),
        ("5.", 5), (".5", 0.5), ("-.5", -0.5), ("1e3", 1000), ("1E+3", 1000), ("1.5e-3", 0.0015), ("5.e1", 50),
        ("Infinity", .infinity), ("+Infinity", .infinity), (" -Infinity ", -.infinity),
        ("0x1F", 31), ("0XfF", 255), ("0o17", 15), ("0O7", 7), ("0b101", 5), ("0B1", 1), (" 0x10 ", 16),
        ("1e400", .infinity), ("-1e400", -.infinity), ("1e-400", 0), ("-1e-400", -0.0),
        ("0e99999999999999999999999", 0), ("1e99999999999999999999999", .infinity), ("1e-99999999999999999999999", 0),
    ]

    static let others = [
        ".", "+", "-", "e5", ".e5", "1e", "1e+", "5px", "1 2", "1_0", "1,000", "--5", "+-5", "infinity", "Infinityx",
        "NaN", "0x", "0o", "0b", "-0x10", "+0b1", "0x1g", "0o8", "0b2", "5n", "\u{661}", "\u{ff15}", "\u{85}5",
        "\u{200b}5", "\u{180e}5", "5\u{0}",
    ]

    @Test(arguments: literals)
    func literalsAreRead(text: String, number: Double) {
        #expect(isSameNumber(ECMAScript.stringToNumber(text), number))
    }

    @Test(arguments: others)
    func textThatIsNotWhollyANumberIsNaN(text: String) {
        #expect(ECMAScript.stringToNumber(text).isNaN)
    }

    @Test func numbersHalfwayGoToTheEvenNeighbourWhateverTheirLength() {
        let halfway = "9007199254740993"
        #expect(ECMAScript.stringToNumber(halfway) == 0x1p53)
        #expect(ECMAScript.stringToNumber(halfway + "." + String(repeating: "0", count: 2_000)) == 0x1p53)
        #expect(ECMAScript.stringToNumber(halfway + "." + String(repeating: "0", count: 2_000) + "1") == 0x1p53 + 2)
        #expect(ECMAScript.stringToNumber("9007199254740995") == 0x1p53 + 4)
        #expect(ECMAScript.stringToNumber("0x20000000000001") == 0x1p53)
        #expect(ECMAScript.stringToNumber("0x20000000000001" + String(repeating: "0", count: 40) + "1") > 0x1p213)
        #expect(ECMAScript.stringToNumber("0x20000000000003") == 0x1p53 + 4)
    }

    @Test func theEdgesOfTheRangeAreRoundedNotCut() {
        #expect(ECMAScript.stringToNumber("1.7976931348623158e308") == .greatestFiniteMagnitude)
        #expect(ECMAScript.stringToNumber("1.7976931348623159e308") == .infinity)
        #expect(ECMAScript.stringToNumber("2.4703282292062328e-324") == .leastNonzeroMagnitude)
        #expect(ECMAScript.stringToNumber("2.4703282292062327e-324") == 0)
        #expect(ECMAScript.stringToNumber("0x" + String(repeating: "f", count: 256)) == .infinity)
        #expect(
            ECMAScript.stringToNumber("0x" + String(repeating: "f", count: 13) + String(repeating: "0", count: 243))
                < .infinity)
        #expect(ECMAScript.stringToNumber("0." + String(repeating: "0", count: 5_000) + "1e5001") == 1)
        #expect(ECMAScript.stringToNumber("1" + String(repeating: "0", count: 5_000) + "e-5000") == 1)
    }

    @Test func valuesOfAllTypesBecomeNumbers() {
        #expect(ECMAScript.toNumber(nil).isNaN)
        #expect(isSameNumber(ECMAScript.toNumber(.null), 0))
        #expect(ECMAScript.toNumber(true) == 1)
        #expect(ECMAScript.toNumber(false) == 0)
        #expect(ECMAScript.toNumber(.integer(9_007_199_254_740_993)) == 0x1p53)
        #expect(isSameNumber(ECMAScript.toNumber(.number(-0.0)), -0.0))
        #expect(ECMAScript.toNumber(" 12 ") == 12)
        #expect(ECMAScript.toNumber([]) == 0)
        #expect(ECMAScript.toNumber([["0x10"]]) == 16)
        #expect(ECMAScript.toNumber([1, 2]).isNaN)
        #expect(ECMAScript.toNumber([:]).isNaN)
    }
}
