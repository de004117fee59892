import ConvertECMAScript

/// Replays one kind of vectors.
protocol VectorReplay {
    associatedtype Case: VectorCase

    /// Replays one case with this package.
    ///
    /// - Returns: the difference between the actual and the expected answer, or `nil` if they agree.
    func mismatch(in testCase: Case) async -> Mismatch?
}

/// A difference between the expected and the actual value, with its place in the case.
struct Mismatch {
    let place: String?
    let expected: String
    let actual: String

    init(expected: String, actual: String, place: String? = nil) {
        self.expected = expected
        self.actual = actual
        self.place = place
    }

    init?(expected: JSValue?, actual: JSValue?, place: String? = nil) {
        if expected == actual { return nil }
        self.init(expected: spell(expected), actual: spell(actual), place: place)
    }
}

/// A value as JSON-like text for a report.
func spell(_ value: JSValue?) -> String {
    switch value {
    case nil: "nothing"
    case .string(let text): "\"\(text)\""
    case .illFormedString: ECMAScript.jsonText(of: value ?? .null)
    case .array(let elements): "[\(elements.map { spell($0) }.joined(separator: ", "))]"
    case .object(let object): "{\(object.map { "\"\($0.key.name)\": \(spell($0.value))" }.joined(separator: ", "))}"
    case .number(let number) where number == 0 && number.sign == .minus: "-0"
    default: ECMAScript.toString(value)
    }
}
