import ConvertECMAScript
import ConvertTestSupport
import Testing

struct NumberToStringTests {
    static let texts: [(number: Double, text: String)] = [
        (0, "0"), (-0.0, "0"), (.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity"),
        (5, "5"), (-5, "-5"), (0.1, "0.1"), (-0.5, "-0.5"), (123.456, "123.456"), (0.1 + 0.2, "0.30000000000000004"),
        (0x1p53 - 1, "9007199254740991"), (0x1p53, "9007199254740992"), (0x1p63, "9223372036854776000"),
        (1e20, "100000000000000000000"), (1.2345678901234568e20, "123456789012345680000"),
        (9.999999999999999e20, "999999999999999900000"), (1e21, "1e+21"), (1.2e21, "1.2e+21"),
        (-1e21, "-1e+21"), (1e23, "1e+23"), (1e-6, "0.000001"), (1.234e-6, "0.000001234"), (1e-7, "1e-7"),
        (1.23e-7, "1.23e-7"), (-1e-7, "-1e-7"), (.leastNonzeroMagnitude, "5e-324"),
        (.leastNormalMagnitude, "2.2250738585072014e-308"),
        (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    ]

    @Test(arguments: texts)
    func textHasTheLayoutOfTheSpecification(number: Double, text: String) {
        #expect(ECMAScript.toString(number) == text)
    }

    @Test func everyNumberComesBackFromItsText() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50_000 {
            let number = Double(bitPattern: random.next())
            let back = ECMAScript.stringToNumber(ECMAScript.toString(number))
            #expect(isSameNumber(back, number), "\(number.bitPattern)")
        }
    }

    @Test func powersOfTwoAndTheirNeighboursComeBackFromTheirTexts() {
        for exponent in -1074...1023 {
            let power = Double(sign: .plus, exponent: exponent, significand: 1)
            for number in [power.nextDown, power, power.nextUp] where number != 0 {
                #expect(ECMAScript.stringToNumber(ECMAScript.toString(number)) == number, "2^\(exponent)")
            }
        }
    }

    @Test func noShorterTextMeansTheSameNumber() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            let number = Double.random(in: 1..<10, using: &random)
            let text = ECMAScript.toString(number)
            guard text.contains("."), let last = text.last?.wholeNumberValue else { continue }
            let stem = text.dropLast()
            #expect(ECMAScript.stringToNumber(String(stem)) != number, "\(text)")
            if last < 9, let raised = stem.last?.wholeNumberValue, raised < 9 {
                #expect(ECMAScript.stringToNumber(stem.dropLast() + "\(raised + 1)") != number, "\(text)")
            }
        }
    }
}
