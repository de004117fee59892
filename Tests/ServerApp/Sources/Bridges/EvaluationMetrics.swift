public import ConvertMonitoring
public import Metrics

/// Counts answers to questions for experiences and features, by key and reason.
///
/// Tried with swift-metrics 2.13.0.
public struct EvaluationMetrics: EvaluationHook {
    private let factory: any MetricsFactory

    /// Counts in `factory`.
    public init(factory: any MetricsFactory = MetricsSystem.factory) { self.factory = factory }

    /// Counts the answer.
    public func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
        count(evaluation, [("key", evaluation.key), ("reason", answer.reason)])
    }

    /// Counts the question that was not answered.
    public func failed(_ evaluation: EvaluationCall, _ reason: String) {
        // Without the key: it may be one that a request made up, and every new dimension costs memory.
        count(evaluation, [("reason", reason)])
    }

    private func count(_ evaluation: EvaluationCall, _ dimensions: [(String, String)]) {
        let kind =
            switch evaluation.subject {
            case .experience, .experienceID: "experience"
            case .feature: "feature"
            }
        Counter(label: "convert_evaluations", dimensions: [("kind", kind)] + dimensions, factory: factory).increment()
    }
}
