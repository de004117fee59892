/// The automata of one lookaround's body, which determine where the lookaround holds.
final class LookaroundAutomata: Sendable {
    /// The lookaround's number in the pattern.
    let number: Int
    let isBehind: Bool
    /// Decides all positions in one pass: forward over the input for a lookbehind, backward for a lookahead.
    let table: Automaton
    /// Decides one position, reading forward from it. Only lookaheads without inner lookarounds have this automaton.
    let direct: Automaton?
    /// Inner lookarounds have numbers from this one up to the lookaround's own number.
    let firstInside: Int

    /// Whether there is no inner lookaround.
    var isLeaf: Bool { table.looks.isEmpty }

    init(number: Int, isBehind: Bool, table: Automaton, direct: Automaton?, firstInside: Int) {
        self.number = number
        self.isBehind = isBehind
        self.table = table
        self.direct = direct
        self.firstInside = firstInside
    }
}
