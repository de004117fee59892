public import ConvertECMAScript
import ConvertMonitoring
public import ConvertSwiftSDKCore

extension ConvertContext {
    /// Tracks that the visitor triggered a goal.
    ///
    /// A goal counts once per visitor. While the visitor's record is being loaded from the ledger, the SDK cannot know
    /// whether the goal counts. The call then returns `deferred`. When loading has ended or failed, the conversion
    /// counts unless the goal was triggered before, and only then is its event accepted. Up to
    /// ``SDKConfiguration/queueCapacity`` conversions wait in this way. Further calls return `refused`, and their
    /// events are rejected as `RejectionReason.overflow`. To wait for the record first, create the context with
    /// `loadContext(visitorID:attributes:locationProperties:)`.
    ///
    /// With a ledger that servers share (`ConvertPostgresStores`), a goal counts once for all of them. If another
    /// server counted it first, the call still returns `triggered`, and the event is rejected as
    /// `RejectionReason.countedElsewhere`. `persisted(within:)` waits until that is known.
    ///
    /// Values are reported in a second event after the event without values. With `forcesMultipleTransactions`, the
    /// values are reported even if the goal was triggered before. Values that nest arrays and objects more than 512
    /// levels deep are left out, with a warning.
    ///
    ///     var options = ConversionOptions()
    ///     options.goalData = [["key": "amount", "value": 49.9], ["key": "transactionId", "value": "t-1"]]
    ///     context.trackConversion("purchase", options: options)
    ///
    /// - Parameters:
    ///   - goalKey: the goal's key.
    ///   - options: the values, rule data and settings of this conversion.
    /// - Returns: the outcome, such as `triggered`, `alreadyTriggered` or `unknownGoal`; `sdkNotReady` without a
    ///   config.
    @discardableResult
    @inlinable
    public func trackConversion(
        _ goalKey: some ConvertKey, options: ConversionOptions = ConversionOptions()
    ) -> Conversion.Outcome {
        track(goalKey.convertKey, options)
    }

    @usableFromInline
    func track(_ goalKey: String, _ options: ConversionOptions) -> Conversion.Outcome {
        var options = options
        options.goalData = options.goalData.map(keepable)
        options.goalData.map { warn(ofInfiniteAmong: $0, goalKey) }
        let outcome = withVisitor { [options] state, snapshot, visitor in
            convert(goalKey, options, snapshot, &visitor, &state)
        }
        guard let outcome else { return .sdkNotReady }
        switch outcome {
        case .triggered:
            engine.hub.tell(.conversion(visitorID: visitorID, goalKey: goalKey))
        case .unknownGoal:
            warn(ofUnknown: "goal", goalKey, among: \.goals, \.key)
        default:
            break
        }
        return outcome
    }

    /// Tracks a conversion with the usual values as parameters. Otherwise works like ``trackConversion(_:options:)``.
    ///
    /// - Parameters:
    ///   - goalKey: the goal's key.
    ///   - revenue: the amount, in the account's currency.
    ///   - productsCount: the number of products.
    ///   - transactionID: the transaction's id.
    ///   - customDimensions: up to five texts of the app's own, reported with the conversion as `customDimension1` to
    ///     `customDimension5`; further ones are left out.
    ///   - ruleData: data that must match the goal's rules.
    ///   - forcesMultipleTransactions: whether to report the values even if the goal was triggered before.
    @discardableResult
    public func trackConversion(
        _ goalKey: some ConvertKey, revenue: Double? = nil, productsCount: Int? = nil, transactionID: String? = nil,
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
        return track(goalKey.convertKey, options)
    }

    /// Tracks a conversion whose rule data are Swift values. Values that are `nil` are left out.
    ///
    ///     visitor.trackConversion("large-order", revenue: total, ruleData: ["order_value": total])
    ///
    /// Otherwise the same as
    /// ``trackConversion(_:revenue:productsCount:transactionID:customDimensions:ruleData:forcesMultipleTransactions:)-(_,_,_,_,_,JSObject?,_)``.
    @_disfavoredOverload
    @discardableResult
    public func trackConversion(
        _ goalKey: some ConvertKey, revenue: Double? = nil, productsCount: Int? = nil, transactionID: String? = nil,
        customDimensions: [String] = [], ruleData: SwiftProperties, forcesMultipleTransactions: Bool = false
    ) -> Conversion.Outcome {
        trackConversion(
            goalKey, revenue: revenue, productsCount: productsCount, transactionID: transactionID,
            customDimensions: customDimensions, ruleData: ruleData.object,
            forcesMultipleTransactions: forcesMultipleTransactions)
    }

    /// Converts. If two contexts of one visitor convert for the same goal, only one of them counts it.
    ///
    /// - Parameter isDue: whether the conversion has already waited for the visitor's record.
    private func convert(
        _ goalKey: String, _ options: ConversionOptions, _ snapshot: ConfigSnapshot, _ visitor: inout Visitor,
        _ state: inout State, isDue: Bool = false
    ) -> Conversion.Outcome {
        if visitorID.isEmpty || visitor.isPreviewing {
            return snapshot.goals.trackConversion(goalKey, for: &visitor, options: options).value
        }
        while true {
            var changed = visitor.copy()
            // Rules may take long, so they are not evaluated under the record's lock.
            let conversion = snapshot.goals.trackConversion(goalKey, for: &changed, options: options)
            if conversion.value == .triggered, !isDue, let record = state.record, basis.hasLedger {
                let waiting = DeferredConversion(context: self, goalKey: goalKey, options: options)
                switch record.deferral(of: waiting, countsGoal: conversion.countsGoal) {
                case .isDue: break
                case .waits: return .deferred
                case .isDouble: return .alreadyTriggered
                case .isRefused:
                    engine.delivery.handle(.refused(1, .overflow))
                    return .refused
                }
            }
            // If another context was faster, the record now has the goal, and the next iteration stores none.
            let wasUnstored = state.isUnstored
            switch commit(
                conversion.effects, of: snapshot, isPreviewing: false,
                repeatsValues: options.forcesMultipleTransactions, &state)
            {
            case .taken: readRecord(&state, &visitor, in: snapshot)
            case .refused(.shutDown): return .shutDown
            case .refused:
                // The outcome says so, unless the call has returned before.
                if !isDue { state.isUnstored = wasUnstored }
                return .refused
            case .made:
                visitor = changed
                return conversion.value
            }
        }
    }

    /// Performs a conversion that has waited for the visitor's record.
    func perform(_ conversion: DeferredConversion) {
        let outcome = withVisitor { state, snapshot, visitor in
            // Without a preview, as at the call: a preview may have begun since.
            var caller = visitor.copy()
            caller.endPreview()
            let outcome = convert(
                conversion.goalKey, conversion.options, snapshot, &caller, &state, isDue: true)
            readRecord(&state, &visitor, in: snapshot)
            return outcome
        }
        if outcome == .triggered {
            engine.hub.tell(.conversion(visitorID: visitorID, goalKey: conversion.goalKey))
        }
    }
}

extension Answer<Conversion.Outcome> {
    /// Whether the conversion stores a goal as triggered.
    fileprivate var countsGoal: Bool {
        effects.contains { if case .store(.goal) = $0 { true } else { false } }
    }
}
