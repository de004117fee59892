import ConvertECMAScript
import Testing

struct ParseIntTests {
    static let prefixes: [(text: String, number: Double)] = [
        ("42px", 42), (" \n-7.9", -7), ("+5", 5), ("-0", -0.0), ("-0.9", -0.0), ("1e3", 1), ("1e21", 1), ("0x1F", 31),
        ("-0X1f", -31), ("0x1g", 1), ("08", 8), ("0b11", 0), ("0o17", 0), ("5e-324", 5), ("1,000", 1),
        ("9007199254740993", 0x1p53), ("9007199254740995", 0x1p53 + 4),
    ]

    @Test(arguments: prefixes)
    func theDigitsAtTheStartAreRead(text: String, number: Double) {
        #expect(isSameNumber(ECMAScript.parseInt(text), number))
    }

    @Test(arguments: ["", " ", "-", "0x", "0xg", "x1", ".5", "Infinity", "NaN", "+-5", "- 5", "\u{ff15}", "null"])
    func withoutDigitsItIsNaN(text: String) {
        #expect(ECMAScript.parseInt(text).isNaN)
    }

    @Test func manyDigitsAreRoundedCorrectly() {
        #expect(ECMAScript.parseInt("100000000000000000000000") == 1e23)
        #expect(ECMAScript.parseInt(String(repeating: "9", count: 308)) == 1e308)
        #expect(ECMAScript.parseInt(String(repeating: "9", count: 309)) == .infinity)
        #expect(ECMAScript.parseInt("-" + String(repeating: "9", count: 400)) == -.infinity)
        #expect(ECMAScript.parseInt("0x" + String(repeating: "0", count: 400) + "10") == 16)
        #expect(ECMAScript.parseInt("0x20000000000001") == 0x1p53)
        #expect(ECMAScript.parseInt("0x200000000000011") == 0x1p57 + 0x1p5)
    }
}
