/// Answers the looks of an automaton, and counts the work of a test.
protocol Truths {
    /// Whether the body of lookaround number `look` matches at `position`: starting there for a lookahead, ending there
    /// for a lookbehind.
    mutating func holds(_ look: Int, at position: Int) -> Bool
    /// The visits that all automata of the test may still take. The test gives up below zero.
    var visitsLeft: Int { get set }
    /// Whether the test exceeded a limit. All later answers are meaningless.
    var hasGivenUp: Bool { get }
}

/// The truths for automata without looks.
struct NoTruths: Truths {
    var visitsLeft = RegExpBudget.unlimited.visits
    var hasGivenUp: Bool { visitsLeft < 0 }

    func holds(_ look: Int, at position: Int) -> Bool { false }
}
