/// Limits for the work of analyzing a config. Work is counted rather than timed, so the same config always gets the
/// same answers. Questions that exceed a limit stay undecided.
public struct AnalysisLimits: Sendable, Hashable {
    /// The maximum number of automaton states that one question may visit.
    public var states = 20_000
    /// The maximum number of conditions on one attribute that one question may combine.
    public var conditions = 100
    /// The maximum number of partial truth assignments to conditions that one question may try.
    public var assignments = 10_000
    /// The maximum number of automaton transitions, or equivalent work, for all questions about a config together: some
    /// seconds. Questions whether groups let in further visitors get at most half of it.
    public var transitions = 20_000_000

    /// Creates the default limits.
    public init() {}
}

/// The remainder of the limits.
final class AnalysisBudget {
    let limits: AnalysisLimits
    private(set) var transitions: Int

    init(_ limits: AnalysisLimits = AnalysisLimits()) {
        self.limits = limits
        transitions = limits.transitions
    }

    var isExhausted: Bool { transitions <= 0 }

    func spend(_ count: Int) { transitions -= count }

    /// Runs `body` with at most the budget of `account`, and deducts what `body` spends from `account`.
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
