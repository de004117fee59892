/// Answers what the looks of an automaton ask.
protocol Truths {
    /// Whether the body of lookaround number `look` matches at `position`: from there on for a lookahead, up to there for a
    /// lookbehind.
    mutating func holds(_ look: Int, at position: Int) -> Bool
    /// Whether an answer was refused because it takes more than a test may. All answers after that mean nothing.
    var hasGivenUp: Bool { get }
}

/// For automata without looks.
struct NoTruths: Truths {
    func holds(_ look: Int, at position: Int) -> Bool { false }
    var hasGivenUp: Bool { false }
}
