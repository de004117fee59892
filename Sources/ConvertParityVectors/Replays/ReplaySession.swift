import ConvertLedgers
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// One SDK and the contexts of its visitors, used through the public API.
struct ReplaySession {
    private let sdk: ConvertSDK
    private let config: ProjectConfig
    private let endpoint = TrackingSink()
    private var contexts: [PropertyKey: ConvertContext] = [:]

    init(
        config: ProjectConfig, sdk options: DecisionsReplay.SDKOptions,
        stored: [(visitorID: String, state: VisitorState)]
    ) async throws {
        var configuration = SDKConfiguration()
        configuration.semantics = .javaScript
        configuration.environment = options.environment ?? configuration.environment
        configuration.bucketing = options.bucketing
        // Events are sent only when a step requests it.
        configuration.batchSize = .max
        configuration.releaseInterval = .seconds(86_400)
        configuration.logLevel = .silent
        let ledger = MemoryLedger()
        for (visitorID, state) in stored {
            let key = "\(config.accountID.text)-\(config.project.id.text)-\(visitorID)"
            _ = try await ledger.commit([LedgerEntry(visitor: key, changes: VisitorChanges(state))])
        }
        configuration.ledger = ledger
        configuration.loadTimeout = .seconds(60)
        self.config = config
        sdk = ConvertSDK(config: config, configuration: configuration, transport: endpoint)
        // The ledger is read first: if a step's `flush()` came amid that, its events would be sent in two requests.
        await sdk.flush()
    }

    /// Shuts the SDK down.
    func end() async { await sdk.shutdown(deadline: .zero) }

    /// Performs the step's call and compares its answer. Throws if the step names no visitor or an unknown call.
    mutating func mismatch(in step: DecisionStep, place: String) async throws -> Mismatch? {
        if step.call == "events" {
            await sdk.flush()
            return mismatch(of: .array(endpoint.takeVisitors()), in: step, place)
        }
        guard let id = step.visitor else { throw VectorError(message: "\(place) names no visitor") }
        let context = await context(of: id, isNew: step.call == "createContext", attributes: step.attributes)
        switch step.call {
        case "createContext":
            return nil
        case "setPreview":
            context.setPreview(experienceID: step.experienceID ?? "", variationID: step.variationID ?? "")
            return nil
        case "setDefaultSegments":
            context.setDefaultSegments(step.segments)
            return nil
        default:
            guard let answer = try answer(to: step, in: context) else {
                throw VectorError(message: "\(place): the call '\(step.call)' is not supported")
            }
            return mismatch(of: answer, in: step, place)
        }
    }

    /// Compares an answer whose ids and keys were converted to Swift strings.
    private func mismatch(of answer: JSValue, in step: DecisionStep, _ place: String) -> Mismatch? {
        Mismatch(expected: step.expect?.wellFormed, actual: answer.wellFormed, place: place)
    }

    private mutating func context(of id: String, isNew: Bool, attributes: JSObject) async -> ConvertContext {
        let key = PropertyKey(id)
        if !isNew, let context = contexts[key] { return context }
        let context = await sdk.loadContext(visitorID: id, attributes: attributes)
        contexts[key] = context
        return context
    }

    /// The answer to a call, in the JavaScript SDK's format; `nil` for an unknown call.
    private func answer(to step: DecisionStep, in context: ConvertContext) throws -> JSValue? {
        switch step.call {
        case "visitorData":
            return .object(context.visitorData.json)
        case "runExperience":
            return context.decide(try step.requiredKey, options: step.options).answer(on: config)
        case "runExperiences":
            let decisions = context.decideAll(options: step.options)
            if decisions.contains(where: { $0.reason?.isThrownByReference == true }) { return "error" }
            return .array(decisions.filter { $0.variation != nil }.map { $0.answer(on: config) })
        case "runFeature":
            let key = try step.requiredKey
            return context.allFeatures(
                key, options: step.options, experienceKeys: step.experienceKeys, castsTypes: step.castsTypes
            ).answer(for: key, on: config)
        case "runFeatures":
            return context.decideFeatures(options: step.options, castsTypes: step.castsTypes).answer(on: config)
        case "trackConversion":
            return try conversion(step, in: context)
        case "runCustomSegments":
            let reason = context.runCustomSegments(step.keys, ruleData: step.ruleData ?? JSObject())
            return reason == nil ? .null : "error"
        default:
            return nil
        }
    }

    private func conversion(_ step: DecisionStep, in context: ConvertContext) throws -> JSValue {
        var options = ConversionOptions()
        options.ruleData = step.ruleData
        options.forcesMultipleTransactions = step.forcesMultipleTransactions
        if let data = step.conversionData, data.isTruthy {
            // If the values are not a list, the reference logs an error and does nothing.
            guard let list = data.arrayValue else { return .null }
            options.goalData = list
        }
        let outcome = context.trackConversion(try step.requiredKey, options: options)
        return outcome == .malformedRules ? "error" : .null
    }
}

extension DecisionStep {
    fileprivate var requiredKey: String {
        get throws {
            guard let key else { throw VectorError(message: "the call '\(call)' names no key") }
            return key
        }
    }
}
