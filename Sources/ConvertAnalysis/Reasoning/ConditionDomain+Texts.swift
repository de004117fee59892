internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension ConditionDomain {
    /// The number of automaton transitions that take as long as trying one value on the rule engine.
    static let trialCost = 8

    /// Lowercase texts that a scalar, or one of its parts between bars, must equal for the condition to hold; `nil` if
    /// other texts or an absent attribute may meet the condition.
    var admittedTexts: [String]? {
        guard condition.defect == nil, !condition.negation, let value = condition.value,
            !ECMAScript.throwsInToString(value), !holdsForAbsent
        else { return nil }
        switch (operation, value) {
        case (.equals?, _): return [ECMAScript.toLowerCase(ECMAScript.toString(value))]
        case (.isIn?, .string(let list)): return ECMAScript.toLowerCase(list).parts(between: "|")
        case (.isIn?, .array(let items)): return items.map { ECMAScript.toLowerCase(ECMAScript.toString($0)) }
        default: return nil
        }
    }
}

extension String {
    /// The parts of the text between separators. The separator is compared by scalars.
    func parts(between separator: Unicode.Scalar) -> [String] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
}
