/// The automata of one lookaround's body, which determine the positions at which the body matches.
final class LookaroundAutomata: Sendable {
    /// The lookaround's number in the pattern.
    let number: Int
    let isBehind: Bool
    /// Decides all positions in one pass: forward over the input for a lookbehind, backward for a lookahead.
    let table: Automaton
    /// Decides one position, and reads forward from it. Only lookaheads without inner lookarounds have this automaton.
    let direct: Automaton?
    /// The number of the first inner lookaround. Inner lookarounds have the numbers from this number up to the
    /// lookaround's own number.
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
