import ConvertRemoteEvaluation

/// The protocol's responses, counted.
struct CountedEvaluation: Sendable {
    let remote: RemoteEvaluation
    let metrics: EdgeMetrics

    var bodyLimit: Int { remote.configuration.limits.bodyLength }
    var respondsImmediately: Bool { remote.respondsImmediately }

    /// Whether a path is the protocol's, or the conversions'.
    static func serves(_ path: String) -> Bool { path.hasPrefix("/ofrep/") || path.hasPrefix("/convert/") }

    func respond(to request: RemoteEvaluationRequest) async -> RemoteEvaluationResponse {
        counted(await remote.respond(to: request))
    }

    func respondImmediately(to request: RemoteEvaluationRequest) -> RemoteEvaluationResponse? {
        remote.respondImmediately(to: request).map(counted)
    }

    func refusal(ofHead request: RemoteEvaluationRequest) -> RemoteEvaluationResponse? {
        remote.refusal(ofHead: request).map(counted)
    }

    private func counted(_ response: RemoteEvaluationResponse) -> RemoteEvaluationResponse {
        metrics.count(status: response.status)
        return response
    }
}
