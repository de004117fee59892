public import ConvertECMAScript
public import ConvertSwiftSDKCore

extension ConvertContext {
    /// Tracks that the visitor triggered a goal.
    ///
    /// A goal counts once per visitor. Values are reported in an event of their own after the bare one;
    /// `forcesMultipleTransactions` reports the values again for a goal that was triggered before.
    ///
    ///     var options = ConversionOptions()
    ///     options.goalData = [["key": "amount", "value": 49.9], ["key": "transactionId", "value": "t-1"]]
    ///     context.trackConversion("purchase", options: options)
    ///
    /// - Returns: what came of it.
    @discardableResult
    public func trackConversion(_ goalKey: String, options: ConversionOptions = ConversionOptions())
        -> Conversion.Outcome
    {
        let outcome = withVisitor { state, snapshot, visitor in
            convert(goalKey, options, snapshot, &visitor, &state)
        }
        guard let outcome else { return .sdkNotReady }
        switch outcome {
        case .triggered:
            engine.hub.fire(.conversion(visitorID: visitorID, goalKey: goalKey))
        case .unknownGoal:
            // By scalars, since one character may be of any length, and a key may come from outside.
            let quoted = String.UnicodeScalarView(goalKey.unicodeScalars.prefix(80))
            engine.log.once(
                .goal, goalKey, "the config has no goal with the key '\(String(quoted))'; it is not tracked.")
        default:
            break
        }
        return outcome
    }

    /// Tracks a conversion with the values that goals know.
    ///
    /// - Parameters:
    ///   - goalKey: the goal's key.
    ///   - revenue: the amount, in the currency of the account.
    ///   - productsCount: the number of products.
    ///   - transactionID: the transaction's id.
    ///   - customDimensions: up to five values, reported as `customDimension1` to `customDimension5`; further ones are
    ///     left out.
    ///   - ruleData: data that must match the goal's rules.
    ///   - forcesMultipleTransactions: whether the values are reported again for a goal that was triggered before.
    @discardableResult
    public func trackConversion(
        _ goalKey: String, revenue: Double? = nil, productsCount: Int? = nil, transactionID: String? = nil,
        customDimensions: [String] = [], ruleData: JSObject? = nil, forcesMultipleTransactions: Bool = false
    ) -> Conversion.Outcome {
        var values: [JSValue] = []
        if let revenue { values.append(["key": "amount", "value": JSValue(revenue)]) }
        if let productsCount { values.append(["key": "productsCount", "value": .integer(productsCount)]) }
        if let transactionID { values.append(["key": "transactionId", "value": .string(transactionID)]) }
        for (index, value) in customDimensions.prefix(5).enumerated() {
            values.append(["key": .string("customDimension\(index + 1)"), "value": .string(value)])
        }
        var options = ConversionOptions()
        options.ruleData = ruleData
        options.forcesMultipleTransactions = forcesMultipleTransactions
        if !values.isEmpty { options.goalData = values }
        return trackConversion(goalKey, options: options)
    }

    /// Converts, and makes sure that of two contexts of one visitor only one counts the goal.
    private func convert(
        _ goalKey: String, _ options: ConversionOptions, _ snapshot: ConfigSnapshot, _ visitor: inout Visitor,
        _ state: inout State
    ) -> Conversion.Outcome {
        if visitorID.isEmpty || visitor.isPreviewing {
            return snapshot.goals.trackConversion(goalKey, for: &visitor, options: options).outcome
        }
        let key = snapshot.visitorKey(visitorID)
        while true {
            var changed = visitor
            for goal in engine.memory.record(key)?.goals ?? JSObject()
            where goal.value.isTruthy && changed.state.goals?[goal.key]?.isTruthy != true {
                changed.apply(.goal(goal.key), in: snapshot.experiences.project)
            }
            // Rules may take long, so they are not evaluated under the lock that other visitors' records share.
            let conversion = snapshot.goals.trackConversion(goalKey, for: &changed, options: options)
            // If another context was quicker, the record has the goal, and the next turn stores none.
            guard conversion.goal.map({ claim($0, of: key) }) ?? true else { continue }
            visitor = changed
            perform(conversion.effects, of: snapshot, isPreviewing: false, &state)
            return conversion.outcome
        }
    }

    private func claim(_ goal: PropertyKey, of key: String) -> Bool {
        engine.memory.update(key) { record in
            guard record.goals?[goal]?.isTruthy != true else { return false }
            record.apply(.goal(goal))
            return true
        }
    }
}

extension Conversion {
    /// The goal that it stores as triggered.
    fileprivate var goal: PropertyKey? {
        for case .store(.goal(let goal)) in effects { return goal }
        return nil
    }
}
