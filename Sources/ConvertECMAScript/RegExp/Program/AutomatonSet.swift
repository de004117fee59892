/// Everything that tests a pattern without back references in linear time.
final class AutomatonSet: Sendable {
    /// The automaton that answers.
    let main: Automaton
    /// The automata of the lookarounds, by number; `nil` for one that nothing asks.
    let lookarounds: [LookaroundAutomata?]
    /// Inputs longer than this need exact counting, which the automata have given up.
    let longestInput: Int

    init(main: Automaton, lookarounds: [LookaroundAutomata?], longestInput: Int) {
        self.main = main
        self.lookarounds = lookarounds
        self.longestInput = longestInput
    }
}
