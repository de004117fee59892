import ConvertECMAScript
import Testing

struct NumberVectorTests {
    struct Case: Decodable {
        let fn: String
        let input: RecordedValue?
        let expect: RecordedValue
    }

    @Test func everyRecordedConversionIsReproduced() throws {
        let file = try RecordedCases<Case>.read(kind: "numbers")
        #expect(file.kind == "numbers")
        #expect(!file.cases.isEmpty)
        for (index, recorded) in file.cases.enumerated() {
            let input = recorded.input?.value
            let comment: Comment = "case \(index): \(recorded.fn)"
            switch recorded.fn {
            case "toString":
                #expect(.string(ECMAScript.toString(input)) == recorded.expect.value, comment)
            case "isNumeric":
                #expect(.bool(NumericShape.isNumeric(input)) == recorded.expect.value, comment)
            case "toNumber":
                expectNumber(NumericShape.toNumber(input), recorded.expect.value, comment)
            case "parseFloat":
                expectNumber(ECMAScript.parseFloat(ECMAScript.toString(input)), recorded.expect.value, comment)
            case "parseInt":
                expectNumber(ECMAScript.parseInt(ECMAScript.toString(input)), recorded.expect.value, comment)
            default:
                Issue.record("unknown function \(recorded.fn) in case \(index)")
            }
        }
    }

    private func expectNumber(_ number: Double, _ expected: JSValue, _ comment: Comment) {
        guard let expected = expected.numberValue else {
            Issue.record("no Number is expected in \(comment)")
            return
        }
        #expect(isSameNumber(number, expected), "\(comment): \(number), not \(expected)")
    }
}
