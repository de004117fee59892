/// Matching took more steps or more memory than `RegExpLimits` allows, and was stopped.
///
/// The error occurs for patterns with back references, and for patterns whose counted repetitions are too large to be
/// written out. ``RegExp`` describes the exact conditions. The backtracker has `RegExpLimits.steps`, plus
/// `RegExpLimits.stepsPerByte` for each byte of the input. `exec` also throws for an input of 2³¹ bytes or more.
/// Whether the input matches is unknown. A caller that must decide should treat the error as no match, and report it.
public struct RegExpBudgetExceeded: Error, Sendable, Hashable, CustomStringConvertible {
    /// The limits, and the remedy for an operator.
    public var description: String {
        "Matching was given up: it takes more steps (\(RegExpLimits.steps), and \(RegExpLimits.stepsPerByte) for each "
            + "byte "
            + "of the input) or more memory than is allowed; simplify the pattern's nested repetitions"
    }
}
