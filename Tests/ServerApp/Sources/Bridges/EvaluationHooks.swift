package import ConvertSwiftSDK

/// Several hooks as one, called in order.
package struct EvaluationHooks: EvaluationHook {
    private let hooks: [any EvaluationHook]

    package init(_ hooks: any EvaluationHook...) { self.hooks = hooks }

    package func before(_ evaluation: EvaluationCall) { for hook in hooks { hook.before(evaluation) } }

    package func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
        for hook in hooks { hook.after(evaluation, answer) }
    }

    package func failed(_ evaluation: EvaluationCall, _ reason: String) {
        for hook in hooks { hook.failed(evaluation, reason) }
    }
}
