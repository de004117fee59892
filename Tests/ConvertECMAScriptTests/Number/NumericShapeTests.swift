import ConvertECMAScript
import ConvertTestSupport
import Testing

struct NumericShapeTests {
    static let numeric: [(text: String, number: Double)] = [
        ("0", 0), ("-0", -0.0), ("007", 7), ("-5", -5), ("1.5", 1.5), (".5", 0.5), ("-.5", -0.5), ("-000.50", -0.5),
        ("1,000", 1000), ("12,345", 12345), ("123,456.78", 123456.78), ("1,000,000", 1_000_000), ("-1,000.5", -1000.5),
        ("0,500", 0.5), ("0,500.5", 0.5), ("0,123,456", 0.123), ("0,000", 0), ("-0,500", -500), ("00,500", 500),
        ("000,500", 500), ("9007199254740993", 0x1p53), ("123456789.123456789", 123456789.123456789),
        ("0.30000000000000004", 0.1 + 0.2), ("123456789012345678901234567890", 1.2345678901234568e29),
    ]

    static let other = [
        "", " ", "-", "+", ".", "-.", "+5", "5.", "1.2.3", "1e3", "0x10", "Infinity", "NaN", " 5", "5 ", "5\n", "\n5",
        "0,5", "1,00", "1,0000", "1000,000", ",500", "5,", "1,", "1,234.", "1,234,", "1,234,5", "1,,234", "-,500",
        "1,234.5,678", ".5,000", "--5", "5-", "5n", "1_000", "\u{661}", "\u{ff15}", "\u{2212}5", "5\u{301}",
    ]

    @Test(arguments: numeric)
    func textsOfTheShapeAreNumeric(text: String, number: Double) {
        #expect(NumericShape.isNumeric(.string(text)))
        #expect(isSameNumber(NumericShape.toNumber(.string(text)), number))
        #expect(withUTF8(text) { NumericShape.numericValue(utf8: $0) }.map { isSameNumber($0, number) } == true)
    }

    @Test(arguments: other)
    func textsOfAnotherShapeAreNot(text: String) {
        #expect(!NumericShape.isNumeric(.string(text)))
        #expect(withUTF8(text) { NumericShape.numericValue(utf8: $0) } == nil)
    }

    @Test func theNumberOfATextMustBeFinite() {
        #expect(NumericShape.isNumeric(.string(String(repeating: "9", count: 308))))
        #expect(!NumericShape.isNumeric(.string(String(repeating: "9", count: 309))))
        #expect(!NumericShape.isNumeric(.string("1" + String(repeating: ",000", count: 103))))
        #expect(NumericShape.isNumeric(.string("0." + String(repeating: "0", count: 400) + "1")))
    }

    @Test func numbersAreNumericIfFiniteAndNothingElseIs() {
        #expect(NumericShape.isNumeric(5))
        #expect(NumericShape.isNumeric(1e300))
        let others: [JSValue?] = [.number(.nan), .number(.infinity), nil, .null, true, false, [5], [:]]
        for value in others { #expect(!NumericShape.isNumeric(value)) }
    }

    @Test func toNumberReadsWhatIsNotNumericAsParseFloatDoes() {
        #expect(NumericShape.toNumber("5 apples") == 5)
        #expect(NumericShape.toNumber("0,5") == 0.5)
        #expect(NumericShape.toNumber("0,5e3") == 500)
        #expect(NumericShape.toNumber("1,0000") == 10000)
        #expect(NumericShape.toNumber("1,234.5e2") == 123450)
        #expect(NumericShape.toNumber("0x10") == 0)
        #expect(NumericShape.toNumber(["0", 5]) == 0.5)
        #expect(NumericShape.toNumber(.number(.infinity)) == .infinity)
        let others: [JSValue?] = [nil, .null, true, "", "abc", ",", [:], []]
        for value in others { #expect(NumericShape.toNumber(value).isNaN) }
    }

    @Test func theFastPathAgreesWithTheGeneralOne() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<50_000 {
            let digits = String(random.next()).prefix(Int.random(in: 1...20, using: &random))
            let point = Int.random(in: 0...digits.count, using: &random)
            let text = point == digits.count ? String(digits) : digits.prefix(point) + "." + digits.dropFirst(point)
            let value = withUTF8(text) { NumericShape.numericValue(utf8: $0) }
            #expect(value == Double(point == 0 ? "0" + text : text), "\(text)")
        }
    }
}
