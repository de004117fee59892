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
}

/// What came of a conversion.
public struct Conversion: Sendable {
    /// How a conversion can end.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Outcome: Sendable, Hashable {
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
    }

    /// What came of it.
    public let outcome: Outcome

    /// What is to be done, in order.
    package let effects: [DecisionEffect]
}

/// Tracks conversions: once per goal and visitor, transactions again on demand.
package struct GoalManager: Sendable {
    private let project: CompiledProject

    /// A manager of `project`.
    package init(project: CompiledProject) { self.project = project }

    /// Tracks a conversion.
    ///
    /// - Parameters:
    ///   - key: the goal's key, under which it is stored as triggered.
    ///   - visitor: the visitor; the stored change is made in its state.
    ///   - options: what the conversion brings along.
    /// - Returns: what came of it. A first conversion with values has two events: a bare one, then one with the values.
    package func trackConversion(
        _ key: String, for visitor: inout Visitor, options: ConversionOptions = ConversionOptions()
    ) -> Conversion {
        var effects: [DecisionEffect] = []
        func ended(_ outcome: Conversion.Outcome) -> Conversion { Conversion(outcome: outcome, effects: effects) }
        guard !visitor.id.isEmpty else { return ended(.missingVisitorID) }
        visitor.adopt(project)
        guard visitor.preview == nil else { return ended(.preview) }
        guard let goal = project.goal(key: key) else { return ended(.unknownGoal) }
        if let ruleData = options.ruleData {
            guard let rules = project.goalRules[goal] else { return ended(.rulesNotMatched) }
            switch project.verdict(of: rules, on: ruleData, effects: &effects) {
            case .matched: break
            case .malformed: return ended(.malformedRules)
            default: return ended(.rulesNotMatched)
            }
        }
        let stored = PropertyKey(key)
        let wasTriggered = visitor.state.goals?[stored]?.isTruthy ?? false
        if wasTriggered && !options.forcesMultipleTransactions { return ended(.alreadyTriggered) }
        if !wasTriggered {
            visitor.apply(.goal(stored), in: project)
            effects.append(.store(.goal(stored)))
        }
        let segments = visitor.state.segments.map { ReportSegments.split($0).segments }.flatMap {
            $0.isEmpty ? nil : $0
        }
        let id = project.config.goals[goal].id
        if !wasTriggered {
            let event = TrackingEvent.conversion(goalID: id, goalData: nil, bucketing: visitor.state.bucketing)
            effects.append(.track(event, segments: segments))
        }
        if let goalData = options.goalData {
            let event = TrackingEvent.conversion(
                goalID: id, goalData: .array(goalData), bucketing: visitor.state.bucketing)
            effects.append(.track(event, segments: segments))
        }
        return Conversion(outcome: .triggered, effects: effects)
    }
}
