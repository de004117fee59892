public import ConvertMonitoring

/// Several hooks as one, called in order.
public struct EvaluationHooks: EvaluationHook {
    private let hooks: [any EvaluationHook]

    /// Calls `hooks` in this order.
    public init(_ hooks: any EvaluationHook...) { self.hooks = hooks }

    /// Calls every hook.
    public func before(_ evaluation: EvaluationCall) { for hook in hooks { hook.before(evaluation) } }

    /// Calls every hook.
    public func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
        for hook in hooks { hook.after(evaluation, answer) }
    }

    /// Calls every hook.
    public func failed(_ evaluation: EvaluationCall, _ reason: String) {
        for hook in hooks { hook.failed(evaluation, reason) }
    }
}
