public import ConvertECMAScript

/// Options of a conversion.
public struct ConversionOptions: Sendable {
    /// Data that the goal's rules must match; `nil` skips the rules. A goal without rules does not match rule data, so
    /// the conversion does not count.
    public var ruleData: JSObject?

    /// The conversion's values, such as `[{"key": "amount", "value": 9.9}]`. They are reported in an event of their
    /// own, after the event of a first conversion.
    public var goalData: [JSValue]?

    /// Whether the values of a goal that was triggered before are reported again.
    public var forcesMultipleTransactions = false

    /// Creates options.
    public init(
        ruleData: JSObject? = nil, goalData: [JSValue]? = nil, forcesMultipleTransactions: Bool = false
    ) {
        self.ruleData = ruleData
        self.goalData = goalData
        self.forcesMultipleTransactions = forcesMultipleTransactions
    }

    /// Creates options with Swift values as rule data. Members of the rule data that are `nil` are left out.
    @_disfavoredOverload
    public init(
        ruleData: SwiftProperties, goalData: [JSValue]? = nil, forcesMultipleTransactions: Bool = false
    ) {
        self.init(
            ruleData: ruleData.object, goalData: goalData, forcesMultipleTransactions: forcesMultipleTransactions)
    }
}

/// Conversions: visitors' actions that count for a goal.
public enum Conversion {
    /// How a conversion can end. Its encoded form is the case name. More outcomes may be added.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Outcome: String, Sendable, Codable {
        /// The goal was triggered.
        case triggered
        /// The visitor's id is empty.
        case missingVisitorID
        /// The config has no goal with the key.
        case unknownGoal
        /// The goal's rules do not match the rule data, or the goal has no rules.
        case rulesNotMatched
        /// The goal was triggered before.
        case alreadyTriggered
        /// The visitor previews a variation, so nothing is stored or reported.
        case preview
        /// The goal's rules have a `null` instead of an object. The JavaScript SDK throws here.
        case malformedRules
        /// The SDK has no config yet.
        case sdkNotReady
        /// The visitor's record is still loading. When loading has ended, the conversion counts, unless the record
        /// already has the goal. Until then the conversion is not among the accepted events.
        case deferred
        /// The SDK was already shut down, so the conversion is not reported.
        case shutDown
        /// No more calls can wait, for the ledger or for visitors' records. Nothing is stored or reported; call again
        /// later.
        case refused
    }
}
