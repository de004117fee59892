public import ConvertECMAScript

/// Answers rules instead of a dictionary of attributes, one condition at a time.
///
/// Use rule data for values that are computed on demand or not known yet. It corresponds to the JavaScript SDK's
/// rule-data interface. The SDK asks only for conditions that evaluation reaches, possibly more than once for a
/// condition. It asks on the thread that decides, possibly on several threads at once, so an answer must not block.
public protocol RuleData: Sendable {
    /// The answer for `condition`, which is usually identified by its `ruleType` and `key`.
    func answer(for condition: RuleCondition) -> RuleDataAnswer
}

/// The answer of ``RuleData`` for a condition.
public enum RuleDataAnswer: Sendable, Equatable {
    /// The attribute's value, which the condition's operator compares.
    ///
    /// `nil` is compared as JavaScript's `undefined`, unlike an attribute that a dictionary does not contain. Under
    /// ``RuleSemantics/flat``, `nil` is an absent attribute.
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
