public import ConvertECMAScript

/// What a conversion brings along.
public struct ConversionOptions: Sendable {
    /// Data that must match the goal's rules; then a goal without rules does not convert.
    public var ruleData: JSObject?

    /// The conversion's values, such as `[{"key": "amount", "value": 9.9}]`. They are reported in a second event.
    public var goalData: [JSValue]?

    /// Whether a goal that was triggered before reports its values again.
    public var forcesMultipleTransactions = false

    /// The defaults.
    public init() {}

    /// What a conversion brings along.
    ///
    /// - Parameters:
    ///   - ruleData: data that must match the goal's rules; `nil` does not ask them.
    ///   - goalData: the conversion's values.
    ///   - forcesMultipleTransactions: whether a goal that was triggered before reports its values again.
    public init(
        ruleData: JSObject? = nil, goalData: [JSValue]? = nil, forcesMultipleTransactions: Bool = false
    ) {
        self.ruleData = ruleData
        self.goalData = goalData
        self.forcesMultipleTransactions = forcesMultipleTransactions
    }

    /// What a conversion brings along, with Swift values as rule data; those that are `nil` are left out.
    @_disfavoredOverload
    public init(
        ruleData: SwiftProperties, goalData: [JSValue]? = nil, forcesMultipleTransactions: Bool = false
    ) {
        self.init(
            ruleData: ruleData.object, goalData: goalData, forcesMultipleTransactions: forcesMultipleTransactions)
    }
}

/// What came of a conversion.
public struct Conversion: Sendable {
    /// How a conversion can end. Encoded it is its case's name.
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
        /// Rule data was given, but the goal's rules do not match, or it has none.
        case rulesNotMatched
        /// The goal was triggered before.
        case alreadyTriggered
        /// The visitor previews a variation: nothing is stored or reported.
        case preview
        /// A `null` stands where the goal's rules need an object; the reference throws.
        case malformedRules
        /// The SDK has no config yet.
        case sdkNotReady
        /// The visitor's record is still being loaded. The conversion counts once that is over, unless the record has the
        /// goal; until then it is not among the accepted events.
        case deferred
        /// The SDK was shut down before: the conversion is not reported.
        case shutDown
        /// There is no room for it in the queue of what the ledger is to store, because the ledger fails: nothing is stored or
        /// reported.
        case refused
    }

    /// What came of it.
    public let outcome: Outcome

    /// What is to be done, in order.
    package let effects: [DecisionEffect]
}
