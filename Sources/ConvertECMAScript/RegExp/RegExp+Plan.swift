extension RegExp {
    /// The executor of the pattern and the reason for the choice, for debugging a rule.
    package struct Plan: Sendable, CustomStringConvertible {
        /// An executor of `test`.
        package enum Executor: String, Sendable {
            /// The lazily built automaton: one pass, linear in the input's length.
            case automaton
            /// The backtracker, under its budget of steps.
            case backtracker
        }

        /// The executor of `test`. The backtracker finds captures or, if that takes too long, the linear matcher.
        package let executor: Executor
        /// The reason, in a few words.
        package let reason: String

        /// The executor and the reason, on one line.
        package var description: String { "\(executor.rawValue): \(reason)" }
    }

    /// How the pattern is executed.
    package var plan: Plan {
        switch compiled.obstacle {
        case nil: Plan(executor: .automaton, reason: automatonReason)
        case .backReference: Plan(executor: .backtracker, reason: "the pattern has a back reference")
        case .tooLarge:
            Plan(
                executor: .backtracker,
                reason:
                    "the pattern, with its repetitions written out and its classes divided, is too large for an "
                    + "automaton")
        }
    }

    private var automatonReason: String {
        var reason = "the pattern has no back references"
        let lookarounds = compiled.lookaroundCount
        if lookarounds > 0 {
            reason +=
                lookarounds == 1
                ? "; 1 lookaround is decided in one pass" : "; \(lookarounds) lookarounds are decided in one pass each"
        }
        if compiled.longestAutomatonInput < Int.max {
            reason +=
                "; inputs over \(compiled.longestAutomatonInput) bytes use the backtracker, because of its counts"
        }
        return reason
    }
}
