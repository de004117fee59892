import ConvertECMAScript
import ConvertSwiftSDKCore

/// One comparator, called directly.
struct ComparisonsReplay: VectorReplay {
    struct Case: VectorCase {
        let op: String
        let value: JSValue?
        let against: JSValue?
        let negated: Bool
        let expect: JSValue

        init(_ cursor: JSONCursor) throws(VectorError) {
            op = try cursor.required("op").asText
            value = cursor.operand("value")
            against = cursor.operand("against")
            negated = try cursor.required("negated").asFlag
            expect = try cursor.required("expect").value
        }
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        let actual = Comparisons.evaluate(
            matchType: testCase.op, value: testCase.value, testAgainst: testCase.against, negated: testCase.negated)
        // If the reference throws, this package's comparison must not match.
        let expected: JSValue = testCase.expect == "error" ? false : testCase.expect
        return Mismatch(expected: expected, actual: .bool(actual))
    }
}

/// One mobile matcher on one value of an event.
struct MobileComparisonsReplay: VectorReplay {
    func mismatch(in testCase: ComparisonsReplay.Case) -> Mismatch? {
        guard let values = testCase.against?.arrayValue else {
            return Mismatch(expected: "a list of values in 'against'", actual: spell(testCase.against))
        }
        let actual = Comparisons.evaluate(mobileMatcher: testCase.op, value: testCase.value, values: values)
        return Mismatch(expected: testCase.expect, actual: .bool(actual != testCase.negated))
    }
}
