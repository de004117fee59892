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
        if step.call == "createContext" {
            visitors[key] = manager.visitor(
                id: id, attributes: step.attributes ?? JSObject(), state: visitors[key]?.state ?? stored[key] ?? .init()
            )
            return nil
        }
        var visitor = visitors[key] ?? manager.visitor(id: id, state: stored[key] ?? .init())
        defer { visitors[key] = visitor }
        switch step.call {
        case "visitorData":
            return Mismatch(expected: step.expect, actual: visitor.state.value, place: place)
        case "runExperience":
            guard let experience = step.key else { throw VectorError(message: "\(place) names no experience") }
            let decision = manager.selectVariation(experience, for: &visitor, options: step.options)
            perform(decision.effects, visitorID: id)
            return Mismatch(expected: step.expect, actual: decision.answer, place: place)
        case "runExperiences":
            let decisions = manager.selectVariations(for: &visitor, options: step.options)
            for decision in decisions { perform(decision.effects, visitorID: id) }
            let isThrown = decisions.last?.reason?.isThrownByReference ?? false
            let answer: JSValue = isThrown ? "error" : .array(decisions.filter { $0.variation != nil }.map(\.answer))
            return Mismatch(expected: step.expect, actual: answer, place: place)
        default:
            throw VectorError(message: "\(place): the call '\(step.call)' is not supported")
        }
    }

    private mutating func perform(_ effects: [DecisionEffect], visitorID: String) {
        for case .track(let event, let segments) in effects {
            batch.append(event, visitorID: visitorID, segments: segments)
        }
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
