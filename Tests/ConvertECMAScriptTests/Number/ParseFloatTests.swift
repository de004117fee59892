import ConvertECMAScript
import ConvertTestSupport
import Testing

struct ParseFloatTests {
    static let prefixes: [(text: String, number: Double)] = [
        ("5px", 5), (" \u{3000}5", 5), ("1.2.3", 1.2), ("1..2", 1), ("5.", 5), (".5.", 0.5), ("1e", 1), ("1e+", 1),
        ("1e3x", 1000), ("5.e3", 5000), ("1,5", 1), ("1_000", 1), ("-0x10", -0.0), ("0x10", 0), ("0b1", 0),
        ("Infinityx", .infinity), ("-Infinity", -.infinity), ("+1", 1), ("-0", -0.0), ("1e400", .infinity),
        ("9007199254740993", 0x1p53), ("1 000", 1),
    ]

    @Test(arguments: prefixes)
    func theLongestLiteralAtTheStartIsRead(text: String, number: Double) {
        #expect(isSameNumber(ECMAScript.parseFloat(text), number))
    }

    @Test(arguments: [
        "", " ", ".", "-", "-.", "e3", ".e3", "x5", "infinity", "Infinit", "NaN", "--5", "- 5", "\u{85}5",
    ])
    func withoutALiteralItIsNaN(text: String) {
        #expect(ECMAScript.parseFloat(text).isNaN)
    }

    @Test func itAgreesWithStringToNumberOnWholeDecimalLiterals() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let text = ECMAScript.toString(Double(bitPattern: random.next()))
            #expect(isSameNumber(ECMAScript.parseFloat(text + "x"), ECMAScript.stringToNumber(text)), "\(text)")
        }
    }
}
