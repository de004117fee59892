/// How much work the questions to a config may take, counted and not timed, so that the same config always gets the
/// same answers. What exceeds it is undecided.
public struct AnalysisLimits: Sendable, Hashable {
    /// States of automata that one question may visit.
    public var states = 20_000
    /// Conditions on one attribute that one question may combine.
    public var conditions = 100
    /// Partial assignments of truths to conditions that one question may try.
    public var assignments = 10_000
    /// Transitions of automata that all questions about a config may take together, or as much other work: some
    /// seconds. Those whether groups add anybody to others take at most half of it.
    public var transitions = 20_000_000

    /// The default limits.
    public init() {}
}

/// What is left of the limits.
final class AnalysisBudget {
    let limits: AnalysisLimits
    private(set) var transitions: Int

    init(_ limits: AnalysisLimits = AnalysisLimits()) {
        self.limits = limits
        transitions = limits.transitions
    }

    var isExhausted: Bool { transitions <= 0 }

    func spend(_ count: Int) { transitions -= count }

    /// Runs `body` on no more than `account`, from which it takes what that spends.
    func spending<Answer>(from account: inout Int, _ body: () -> Answer) -> Answer {
        let granted = min(account, transitions)
        let kept = transitions - granted
        transitions = granted
        let answer = body()
        account -= granted - transitions
        transitions += kept
        return answer
    }
}
