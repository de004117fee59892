extension RegExp {
    /// What serves `test`.
    public enum Executor: Sendable, Hashable {
        /// A lazily built automaton: one pass over the input, in linear time whatever the pattern.
        case automaton
        /// Backtracking under a budget of steps, and why the automaton cannot serve.
        case backtracking(Cause)

        /// Why a pattern is not served by the automaton.
        public enum Cause: String, Sendable, Hashable {
            /// A back reference, whose text is not known before the match.
            case backReference
            /// A lookahead or lookbehind.
            case lookaround
            /// The automaton would be larger than `RegExpLimits` allows.
            case tooLarge
        }
    }

    /// What serves `test`. `exec` asks it first, and then finds the captures by backtracking.
    public var executor: Executor {
        switch compiled.obstacle {
        case nil: .automaton
        case .backReference: .backtracking(.backReference)
        case .lookaround: .backtracking(.lookaround)
        case .tooLarge: .backtracking(.tooLarge)
        }
    }
}
