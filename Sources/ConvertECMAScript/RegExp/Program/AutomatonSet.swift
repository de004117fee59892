/// The automata that test a pattern without back references in linear time.
final class AutomatonSet: Sendable {
    /// The automaton of the pattern.
    let main: Automaton
    /// The automata of the lookarounds, by number; `nil` for a lookaround that no instruction asks.
    let lookarounds: [LookaroundAutomata?]
    /// Longer inputs need exact counting, which these automata do not support.
    let longestInput: Int

    init(main: Automaton, lookarounds: [LookaroundAutomata?], longestInput: Int) {
        self.main = main
        self.lookarounds = lookarounds
        self.longestInput = longestInput
    }
}
