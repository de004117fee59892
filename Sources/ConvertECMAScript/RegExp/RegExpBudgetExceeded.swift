/// Matching was given up: it took more steps, or more memory, than `RegExpLimits` allows.
///
/// That happens to patterns with back references, and to those whose counted repetitions are too large to be written out;
/// ``RegExp`` says when exactly. The backtracker's steps are `RegExpLimits.steps`, and `RegExpLimits.stepsPerByte` for each
/// byte of the input; `exec` refuses an input of 2³¹ bytes or more. Whether the input matches is unknown; a caller that has
/// to decide takes it as no match, and says so.
public struct RegExpBudgetExceeded: Error, Sendable, Hashable, CustomStringConvertible {
    /// What an operator can do about it.
    public var description: String {
        "Matching was given up: it takes more steps (\(RegExpLimits.steps), and \(RegExpLimits.stepsPerByte) for each byte "
            + "of the input) or more memory than is allowed; simplify the pattern's nested repetitions"
    }
}
