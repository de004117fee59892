/// Answers what the looks of an automaton ask, and counts what a test takes.
protocol Truths {
    /// Whether the body of lookaround number `look` matches at `position`: from there on for a lookahead, up to there for a
    /// lookbehind.
    mutating func holds(_ look: Int, at position: Int) -> Bool
    /// Visits that the test may still take, of all its automata together. It gives up below zero.
    var visitsLeft: Int { get set }
    /// Whether the test takes more than it may. All answers after that mean nothing.
    var hasGivenUp: Bool { get }
}

/// For automata without looks.
struct NoTruths: Truths {
    var visitsLeft = RegExpBudget.unlimited.visits
    var hasGivenUp: Bool { visitsLeft < 0 }

    func holds(_ look: Int, at position: Int) -> Bool { false }
}
