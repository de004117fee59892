internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension ConditionDomain {
    /// How many transitions of an automaton take as long as trying one value on the rule engine.
    static let trialCost = 8

    /// Lowercase texts of which a scalar, or a part of it between bars, must be one for the condition to hold; `nil` if
    /// others do, or if an absent attribute does.
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
    /// The parts between `separator`, compared by scalars.
    func parts(between separator: Unicode.Scalar) -> [String] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
}
