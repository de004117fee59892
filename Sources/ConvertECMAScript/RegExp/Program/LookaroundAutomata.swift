/// How the truth of one lookaround is found out: the automata of its body.
final class LookaroundAutomata: Sendable {
    /// The lookaround's number in the pattern.
    let number: Int
    let isBehind: Bool
    /// Finds out everywhere at once: forward over the input for a lookbehind, backward for a lookahead.
    let table: Automaton
    /// Finds out for one position, forward from there. Only lookaheads without lookarounds inside have one.
    let direct: Automaton?
    /// The lookarounds inside, which have lower numbers, are among those from here on.
    let firstInside: Int

    /// Whether no lookaround is inside.
    var isLeaf: Bool { table.looks.isEmpty }

    init(number: Int, isBehind: Bool, table: Automaton, direct: Automaton?, firstInside: Int) {
        self.number = number
        self.isBehind = isBehind
        self.table = table
        self.direct = direct
        self.firstInside = firstInside
    }
}
