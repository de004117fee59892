import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertSwiftSDK
import Hummingbird

/// What the server answers.
struct Routes {
    let convert: ConvertSDK

    func makeRouter() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("health") { _, _ in convert.isReady ? HTTPResponse.Status.ok : .serviceUnavailable }
        router.get("metrics") { _, _ in convert.deliveryCounts.metrics }
        router.get("decide/:experience") { request, context in
            let key = try context.parameters.require("experience")
            let decision = try await VisitorQuery(request).context(of: convert).decide(key)
            if decision.reason == .unknownExperience { throw HTTPError(.notFound, message: "no such experience") }
            return DecisionAnswer(decision, of: key)
        }
        router.get("feature/:key") { request, context in
            let key = try context.parameters.require("key")
            let visitor = try await VisitorQuery(request).context(of: convert)
            guard visitor.isFeatureDeclared(key) else { throw HTTPError(.notFound, message: "no such feature") }
            return FeatureAnswer(visitor.feature(key))
        }
        router.post("track/:goal") { request, context in
            let goal = try context.parameters.require("goal")
            let revenue = request.uri.queryParameters.get("revenue", as: Double.self)
            let visitor = try await VisitorQuery(request).context(of: convert)
            let outcome = visitor.trackConversion(goal, revenue: revenue)
            // An answer is a promise: the conversion is in the ledger, and outlives this process.
            do throws(ConvertError) {
                try await visitor.persisted()
            } catch {
                throw HTTPError(.serviceUnavailable, message: error.message)
            }
            return EditedResponse(
                status: outcome.status,
                response: ConversionAnswer(visitor: visitor.visitorID, goal: goal, outcome: "\(outcome)"))
        }
        return router
    }
}

extension Conversion.Outcome {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .triggered: .accepted
        case .alreadyTriggered: .ok
        case .missingVisitorID: .badRequest
        case .unknownGoal: .notFound
        // A deferred one counts later, but would be lost with this process.
        case .sdkNotReady, .deferred, .refused, .shutDown: .serviceUnavailable
        case .rulesNotMatched, .malformedRules, .preview: .conflict
        // What a later version of the SDK adds: nothing was counted, for a reason this server does not know.
        @unknown default: .conflict
        }
    }
}

extension DeliveryCounts {
    /// The sum that always holds, accepted + restored = delivered + queued + rejected, for a scraper.
    fileprivate var metrics: String {
        """
        convert_events_accepted_total \(accepted)
        convert_events_restored_total \(restored)
        convert_events_delivered_total \(delivered)
        convert_events_queued \(queued)
        convert_events_rejected_total \(rejectedTotal)

        """
    }
}
