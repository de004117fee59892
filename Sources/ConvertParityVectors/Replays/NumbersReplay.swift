import ConvertECMAScript

/// ECMAScript's number conversions, and the JavaScript SDK's `isNumeric` and `toNumber`.
struct NumbersReplay: VectorReplay {
    struct Case: VectorCase {
        let function: String
        let input: JSValue?
        let expect: JSValue?

        init(_ cursor: JSONCursor) throws(VectorError) {
            function = try cursor.required("fn").asText
            input = cursor.operand("input")
            expect = cursor.operand("expect")
        }
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        let actual: JSValue
        switch testCase.function {
        case "toString": actual = .string(ECMAScript.toString(testCase.input))
        case "isNumeric": actual = .bool(NumericShape.isNumeric(testCase.input))
        case "toNumber": actual = .number(NumericShape.toNumber(testCase.input))
        case "parseFloat": actual = .number(ECMAScript.parseFloat(ECMAScript.toString(testCase.input)))
        case "parseInt": actual = .number(ECMAScript.parseInt(ECMAScript.toString(testCase.input)))
        default: return Mismatch(expected: "a known function", actual: "'\(testCase.function)'")
        }
        // 0 and -0 compare as equal, but an answer must have the expected sign.
        let signsAgree = testCase.expect?.numberValue?.sign == actual.numberValue?.sign
        if testCase.expect == actual, signsAgree || actual.numberValue?.isNaN == true { return nil }
        return Mismatch(expected: spell(testCase.expect), actual: spell(actual))
    }
}

/// `String.prototype.toLowerCase`.
struct LowercaseReplay: VectorReplay {
    struct Case: VectorCase {
        let input: String
        let expect: String

        init(_ cursor: JSONCursor) throws(VectorError) {
            input = try cursor.required("input").asText
            expect = try cursor.required("expect").asText
        }
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        Mismatch(expected: .string(testCase.expect), actual: .string(ECMAScript.toLowerCase(testCase.input)))
    }
}
