import ConvertECMAScript

/// `JSON.parse` of a text. The results are compared after `JSON.stringify`, so the order of members and the text of
/// each number matter. U+FFFD replaces each lone surrogate, as in the recorded answers.
struct JSONReplay: VectorReplay {
    struct Case: VectorCase {
        let text: String
        let expect: String

        init(_ cursor: JSONCursor) throws(VectorError) {
            text = try cursor.required("text").asText
            expect = try cursor.required("expect").asText
        }
    }

    func mismatch(in testCase: Case) -> Mismatch? {
        let answer: String
        if let document = try? ECMAScript.parseJSON(testCase.text) {
            answer = document.withRoot { ECMAScript.jsonText(of: $0.value.wellFormed.spellingNumbers) }
        } else {
            answer = "error"
        }
        return Mismatch(expected: .string(testCase.expect), actual: .string(answer))
    }
}

extension JSValue {
    /// The value with `{"$number": "…"}` in place of each Number that JSON cannot express.
    fileprivate var spellingNumbers: JSValue {
        switch self {
        case .number(let number) where !number.isFinite || (number == 0 && number.sign == .minus):
            ["$number": .string(number == 0 ? "-0" : ECMAScript.toString(number))]
        case .array(let elements): .array(elements.map(\.spellingNumbers))
        case .object(let object): .object(JSObject(object.map { ($0.key.name, $0.value.spellingNumbers) }))
        default: self
        }
    }
}
