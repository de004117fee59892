/// Observes each call for one experience or one feature, before and after its answer, for traces and metrics.
///
///     struct Counter: EvaluationHook {
///         func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
///             let dimensions = [("key", evaluation.key), ("reason", answer.reason)]
///             Metrics.Counter(label: "flags", dimensions: dimensions).increment()
///         }
///     }
///
/// Methods are called on the caller's thread, outside of all locks. The caller waits for them, so they must be short.
/// They may call the SDK; those calls are observed as well. Without a hook, calls have no extra cost.
public protocol EvaluationHook: Sendable {
    /// Called before a call is answered.
    func before(_ evaluation: EvaluationCall)

    /// Called with the answer of a call.
    func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer)

    /// Called instead of ``after(_:_:)`` if nothing could be decided: there is no config yet, the config does not
    /// contain the experience or feature, the visitor has no id, rules are malformed, or rule data are missing.
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
