public import ConvertECMAScript

/// Answers rules in place of a dictionary of attributes, one condition at a time.
///
/// The counterpart of the JavaScript SDK's rule-data interface, for values that are computed on demand or are not known
/// yet. It is asked only for conditions that evaluation reaches, may be asked for one more than once, and must not block.
public protocol RuleData: Sendable {
    /// The visitor's side of `condition`, usually recognized by its `ruleType` and `key`.
    func answer(for condition: RuleCondition) -> RuleDataAnswer
}

/// What ``RuleData`` knows about a condition.
public enum RuleDataAnswer: Sendable, Equatable {
    /// The attribute's value, compared by the condition's operator. `nil` is an attribute without value: it is compared
    /// as JavaScript's `undefined`, unlike an attribute that is absent from a dictionary; under ``RuleSemantics/flat`` it is
    /// absent.
    case value(JSValue?)
    /// The condition's result, without any comparison or negation, as for `js_condition`.
    case result(Bool)
    /// More data is needed: the decision ends with ``Decision/Reason/needMoreData``.
    case needMoreData
    /// There is no data: the decision ends with ``Decision/Reason/noDataFound``.
    case noDataFound
    /// This kind of condition is not supported: it does not hold, negated or not.
    case unsupported
}
