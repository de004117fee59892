import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertValues

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
        let matcher = MobileMatcher(wireName: testCase.op)
        // Arrays, objects and null are absent values.
        let value = testCase.value.flatMap { $0.isNull || $0.arrayValue != nil || $0.objectValue != nil ? nil : $0 }
        let holds = matcher.map { $0.matches(value, MobileOperand.list(of: .array(values), for: $0)[...]) } ?? false
        return Mismatch(expected: testCase.expect, actual: .bool(holds != testCase.negated))
    }
}
