internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A condition in a normalized spelling, so that conditions with the same meaning are equal.
struct ConditionMeaning: Hashable {
    private let key: PropertyKey
    private let operation: Operation
    private let isNegated: Bool
    private let operands: [PropertyKey]
    /// Whether the meaning only covers scalars. An array or object depends on the exact spelling of its element or key.
    let isOfScalars: Bool

    /// Creates the meaning; `nil` for a condition with only one spelling.
    init?(_ condition: RuleCondition, under semantics: RuleSemantics) {
        guard condition.defect == nil, let key = condition.attribute,
            let operation = Operation(wireName: condition.matchType, under: semantics),
            let operands = Self.operands(of: condition.value, for: operation)
        else { return nil }
        self.key = key
        self.operation = operation
        isNegated = condition.negation
        self.operands = operands.map { PropertyKey($0) }
        isOfScalars = operation == .equals
    }

    private static func operands(of value: JSValue?, for operation: Operation) -> [String]? {
        if ECMAScript.throwsInToString(value) { return nil }
        if case .illFormedString = ECMAScript.toStringValue(value) { return nil }
        switch operation {
        case .exists, .doesNotExist, .notExists: return []
        case .equals, .contains, .startsWith, .endsWith:
            return [ECMAScript.toLowerCase(ECMAScript.toString(value))]
        case .isIn:
            switch value {
            case .string(let list): return Set(ECMAScript.toLowerCase(list).parts(between: "|")).sorted()
            case .array(let items):
                return Set(items.map { ECMAScript.toLowerCase(ECMAScript.toString($0)) }).sorted()
            default: return nil
            }
        case .less, .lessEqual:
            guard let value, NumericShape.isNumeric(value) else { return nil }
            // Negative and positive zero compare as equal.
            return [ECMAScript.toString(NumericShape.toNumber(value) + 0)]
        case .regexMatches: return [ECMAScript.toString(value)]
        case .mobile: return nil
        }
    }
}
