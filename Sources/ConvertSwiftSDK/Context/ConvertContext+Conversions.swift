public import ConvertECMAScript
import ConvertMonitoring
public import ConvertSwiftSDKCore

extension ConvertContext {
    /// Tracks that the visitor triggered a goal.
    ///
    /// A goal counts once per visitor. While the visitor's record is being loaded from the ledger, it is not known
    /// whether it counts: then the answer is `deferred`, and the conversion counts as soon as the
    /// record is there, or cannot be had, unless the goal was triggered before. Only then is its event accepted. Up to
    /// ``SDKConfiguration/queueCapacity`` conversions wait; the answer is the same for further ones, which count as
    /// `RejectionReason.overflow`. `loadContext(visitorID:attributes:locationProperties:)` waits for the record
    /// first.
    ///
    /// With a ledger that servers share (`ConvertPostgresStores`) a goal counts once for all of them. Where another one
    /// counted it before, the answer is `triggered` all the same, and the event is given up as
    /// `RejectionReason.countedElsewhere`. `persisted(within:)` waits until that is settled.
    ///
    /// Values are reported in an event of their own after the bare one; `forcesMultipleTransactions` reports the values
    /// again for a goal that was triggered before. Values that nest arrays and objects more than 512 deep are left out,
    /// with a warning.
    ///
    ///     var options = ConversionOptions()
    ///     options.goalData = [["key": "amount", "value": 49.9], ["key": "transactionId", "value": "t-1"]]
    ///     context.trackConversion("purchase", options: options)
    ///
    /// - Returns: what came of it.
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

    /// Tracks a conversion whose rule data are Swift values, of which those that are `nil` are left out.
    ///
    ///     visitor.trackConversion("large-order", revenue: total, ruleData: ["order_value": total])
    ///
    /// It is
    /// ``trackConversion(_:revenue:productsCount:transactionID:customDimensions:ruleData:forcesMultipleTransactions:)-(_,_,_,_,_,JSObject?,_)``
    /// otherwise.
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

    /// Converts, and makes sure that of two contexts of one visitor only one counts the goal.
    ///
    /// - Parameter isDue: whether it waited for the visitor's record, or need not.
    private func convert(
        _ goalKey: String, _ options: ConversionOptions, _ snapshot: ConfigSnapshot, _ visitor: inout Visitor,
        _ state: inout State, isDue: Bool = false
    ) -> Conversion.Outcome {
        if visitorID.isEmpty || visitor.isPreviewing {
            return snapshot.goals.trackConversion(goalKey, for: &visitor, options: options).outcome
        }
        while true {
            var changed = visitor.copy()
            // Rules may take long, so they are not evaluated under the record's lock.
            let conversion = snapshot.goals.trackConversion(goalKey, for: &changed, options: options)
            if conversion.outcome == .triggered, !isDue, let record = state.record, basis.hasLedger {
                let waiting = DeferredConversion(context: self, goalKey: goalKey, options: options)
                let deferral = record.deferral(
                    of: waiting, countsGoal: conversion.countsGoal, among: engine.records)
                switch deferral {
                case .isDue: break
                case .waits: return .deferred
                case .isDouble: return .alreadyTriggered
                case .isRefused:
                    state.isUnstored = true
                    engine.delivery.handle(.refused(1, .overflow))
                    return .deferred
                }
            }
            // If another context was quicker, the record has the goal, and the next turn stores none.
            let commitment = commit(
                conversion.effects, of: snapshot, isPreviewing: false,
                repeatsValues: options.forcesMultipleTransactions, &state)
            switch commitment {
            case .taken: readRecord(&state, &visitor, in: snapshot)
            case .refused(.shutDown): return .shutDown
            case .refused(.overflow): return .refused
            case .made:
                visitor = changed
                return conversion.outcome
            }
        }
    }

    /// Makes a conversion count that waited for the visitor's record.
    func perform(_ conversion: DeferredConversion) {
        let outcome = withVisitor { state, snapshot, visitor in
            // As at the call, since a preview may have begun after it.
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

extension Conversion {
    /// Whether it stores a goal as triggered.
    fileprivate var countsGoal: Bool {
        effects.contains { if case .store(.goal) = $0 { true } else { false } }
    }
}
