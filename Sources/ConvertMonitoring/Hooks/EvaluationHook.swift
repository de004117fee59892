/// Sees every question for one experience or one feature, before and after it is answered: for traces and metrics.
///
///     struct Counter: EvaluationHook {
///         func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
///             let dimensions = [("key", evaluation.key), ("reason", answer.reason)]
///             Metrics.Counter(label: "flags", dimensions: dimensions).increment()
///         }
///     }
///
/// It is called on the thread that asks, outside of every lock, and the caller waits for it: it must be short. It may
/// ask the SDK; its own questions are seen as well. An SDK without a hook pays nothing for it.
public protocol EvaluationHook: Sendable {
    /// Called before the question is answered.
    func before(_ evaluation: EvaluationCall)

    /// Called with the answer, if there is one.
    func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer)

    /// Called instead of ``after(_:_:)`` if nothing could be decided: there is no config yet, the config does not have
    /// what was asked for, the visitor has no id, rules are malformed, or rule data are missing.
    func failed(_ evaluation: EvaluationCall, _ reason: String)
}

extension EvaluationHook {
    /// Does nothing.
    public func before(_ evaluation: EvaluationCall) {}
    /// Does nothing.
    public func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {}
    /// Does nothing.
    public func failed(_ evaluation: EvaluationCall, _ reason: String) {}
}
