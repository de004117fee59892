public import ConvertECMAScript

/// Answers rules instead of a dictionary of attributes, one condition at a time.
///
/// It corresponds to the JavaScript SDK's rule-data interface. Use it for values that are computed on demand or not
/// known yet. It is called only for conditions that evaluation reaches, possibly more than once for a condition, and
/// must not block.
public protocol RuleData: Sendable {
    /// The answer for `condition`, which is usually identified by its `ruleType` and `key`.
    func answer(for condition: RuleCondition) -> RuleDataAnswer
}

/// The answer of ``RuleData`` for a condition.
public enum RuleDataAnswer: Sendable, Equatable {
    /// The attribute's value, which the condition's operator compares. `nil` is an attribute without a value. It is
    /// compared as JavaScript's `undefined`, unlike an attribute that a dictionary does not contain; under
    /// ``RuleSemantics/flat`` it is absent.
    case value(JSValue?)
    /// The condition's result, without comparison or negation, like `js_condition`.
    case result(Bool)
    /// More data is needed: the decision ends with ``Decision/Reason/needMoreData``.
    case needMoreData
    /// There is no data: the decision ends with ``Decision/Reason/noDataFound``.
    case noDataFound
    /// Rule data does not support this kind of condition: it does not hold, negated or not.
    case unsupported
}
