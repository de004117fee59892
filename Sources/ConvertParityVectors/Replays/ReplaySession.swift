import ConvertECMAScript
import ConvertSwiftSDKCore

/// The visitors of one replayed session, what is stored about them, and the events queued.
struct ReplaySession {
    private let manager: ExperienceManager
    private var visitors: [PropertyKey: Visitor] = [:]
    private var stored: [PropertyKey: VisitorState]
    private var batch = TrackingBatch()

    init(config: ProjectConfig, sdk: DecisionsReplay.SDKOptions?, stored: [String: VisitorState]) {
        let bucketing = BucketingOptions(
            hashSeed: sdk?.bucketing?.hashSeed ?? 0, maxTraffic: sdk?.bucketing?.maxTraffic ?? 0,
            excludesExperienceID: sdk?.bucketing?.excludeExperienceIdHash ?? false)
        let project = CompiledProject(config, options: CompilationOptions(semantics: .javaScript, bucketing: bucketing))
        manager = ExperienceManager(project: project, environment: sdk?.environment ?? "staging")
        self.stored = Dictionary(uniqueKeysWithValues: stored.map { (PropertyKey($0.key), $0.value) })
    }

    /// Makes the step's call and compares its answer.
    mutating func mismatch(in step: DecisionStep, place: String) throws -> Mismatch? {
        if step.call == "events" {
            defer { batch = TrackingBatch() }
            return Mismatch(expected: step.expect, actual: batch.visitors, place: place)
        }
        guard let id = step.visitor else { throw VectorError(message: "\(place) names no visitor") }
        let key = PropertyKey(id)
        let state = visitors[key]?.state ?? stored[key] ?? VisitorState()
        if step.call == "createContext" {
            visitors[key] = manager.visitor(id: id, attributes: step.attributes, state: state)
            return nil
        }
        var visitor = visitors[key] ?? manager.visitor(id: id, state: state)
        defer { visitors[key] = visitor }
        switch step.call {
        case "setPreview":
            // Without one of the ids the call is ignored.
            if let experience = step.experienceID, let variation = step.variationID {
                manager.setPreview(experienceID: experience, variationID: variation, for: &visitor)
            }
            return nil
        case "setDefaultSegments":
            let change = SegmentsManager(project: manager.project).setDefaultSegments(step.segments, for: &visitor)
            perform(change.effects, visitorID: id)
            return nil
        default:
            guard let answer = try answer(to: step, for: &visitor) else {
                throw VectorError(message: "\(place): the call '\(step.call)' is not supported")
            }
            perform(answer.effects, visitorID: id)
            return Mismatch(expected: step.expect, actual: answer.value, place: place)
        }
    }

    /// What a call answers, in the JavaScript SDK's shape; `nil` for an unknown call.
    private func answer(to step: DecisionStep, for visitor: inout Visitor) throws -> Answer? {
        switch step.call {
        case "visitorData":
            return Answer(value: visitor.state.value, effects: [])
        case "runExperience":
            let decision = manager.selectVariation(try step.requiredKey, for: &visitor, options: step.options)
            return Answer(value: decision.answer, effects: decision.effects)
        case "runExperiences":
            let decisions = manager.selectVariations(for: &visitor, options: step.options)
            let isThrown = decisions.contains { $0.reason?.isThrownByReference == true }
            let hits = decisions.filter { $0.variation != nil }
            return Answer(
                value: isThrown ? "error" : .array(hits.map(\.answer)), effects: decisions.flatMap(\.effects))
        case "runFeature":
            let found = FeatureManager(experiences: manager).feature(
                try step.requiredKey, for: &visitor, options: step.options, experienceKeys: step.experienceKeys,
                castsTypes: step.castsTypes)
            return Answer(
                value: found.features.count == 1 ? found.features[0].answer : found.answer, effects: found.effects)
        case "runFeatures":
            let found = FeatureManager(experiences: manager).features(
                for: &visitor, options: step.options, castsTypes: step.castsTypes)
            return Answer(value: found.answer, effects: found.effects)
        case "trackConversion":
            return try conversion(step, for: &visitor)
        case "runCustomSegments":
            let change = SegmentsManager(project: manager.project).runCustomSegments(
                step.keys, ruleData: step.ruleData ?? JSObject(), for: &visitor)
            return Answer(value: change.reason == nil ? .null : "error", effects: change.effects)
        default:
            return nil
        }
    }

    private func conversion(_ step: DecisionStep, for visitor: inout Visitor) throws -> Answer {
        var options = ConversionOptions()
        options.ruleData = step.ruleData
        options.forcesMultipleTransactions = step.forcesMultipleTransactions
        if let data = step.conversionData, data.isTruthy {
            // Values that are no list make the reference give up, having logged an error.
            guard let list = data.arrayValue else { return Answer(value: .null, effects: []) }
            options.goalData = list
        }
        let conversion = GoalManager(project: manager.project).trackConversion(
            try step.requiredKey, for: &visitor, options: options)
        return Answer(value: conversion.outcome == .malformedRules ? "error" : .null, effects: conversion.effects)
    }

    private mutating func perform(_ effects: [DecisionEffect], visitorID: String) {
        for case .track(let event, let segments) in effects {
            batch.append(event, visitorID: visitorID, segments: segments)
        }
    }
}

private struct Answer {
    let value: JSValue
    let effects: [DecisionEffect]
}

extension DecisionStep {
    fileprivate var requiredKey: String {
        get throws {
            guard let key else { throw VectorError(message: "the call '\(call)' names no key") }
            return key
        }
    }
}

extension FeatureDecision {
    fileprivate var answer: JSValue {
        switch reason {
        case nil: .array(features.map(\.answer))
        case .missingVisitorID: .null
        case let reason?: reason.sentinel.map { ["error": .string($0)] } ?? "error"
        }
    }
}

extension BucketedFeature {
    fileprivate var answer: JSValue {
        var answer: JSObject = ["status": .string(status.rawValue)]
        if let id { answer["id"] = .string(id) }
        if let key { answer["key"] = .string(key) }
        if let variables { answer["variables"] = variables }
        if let experienceKey { answer["experienceKey"] = .string(experienceKey) }
        return .object(answer)
    }
}

extension Decision {
    /// The answer in the JavaScript SDK's shape.
    fileprivate var answer: JSValue {
        switch outcome {
        case .none(let reason):
            if reason.isThrownByReference { return "error" }
            return reason.sentinel.map { ["error": .string($0)] } ?? .null
        case .variation(let variation):
            var answer: JSObject = [
                "experienceId": .string(variation.experienceID), "experienceKey": .string(variation.experienceKey),
                "variationId": .string(variation.variationID),
            ]
            if let key = variation.variationKey { answer["variationKey"] = .string(key) }
            if let value = variation.bucketingAllocation { answer["bucketingAllocation"] = .integer(value) }
            return .object(answer)
        }
    }
}

extension VisitorState {
    /// The record in the JavaScript SDK's shape.
    fileprivate var value: JSValue {
        var value = JSObject()
        if let bucketing { value["bucketing"] = .object(bucketing) }
        if let locations { value["locations"] = .array(locations.map(JSValue.string)) }
        if let segments { value["segments"] = .object(segments) }
        if let goals { value["goals"] = .object(goals) }
        return .object(value)
    }
}
