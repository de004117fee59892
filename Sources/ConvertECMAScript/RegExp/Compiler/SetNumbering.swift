/// Numbers the unit sets that a pattern's automata consume. All sets share one division of the units into classes.
struct SetNumbering {
    private(set) var sets: [CharacterSet] = []
    /// The properties of neighbouring units that assertions check.
    private(set) var contexts: Set<Automaton.Context> = []
    /// The numbers of sets, by their index in the tree, and of single units.
    private var setNumbers: [UInt32: UInt32] = [:]
    private var unitNumbers: [UInt16: UInt32] = [:]

    /// Notes the properties that `assertion` checks.
    mutating func note(_ assertion: PatternTree.Assertion) {
        switch assertion {
        case .inputStart, .inputEnd: break
        case .lineStart, .lineEnd, .wordBoundary, .notWordBoundary: contexts.formUnion([.word, .lineTerminator])
        case .foldedWordBoundary, .notFoldedWordBoundary:
            contexts.formUnion([.word, .lineTerminator, .foldedWord])
        case .pointBoundary: contexts.insert(.lead)
        }
    }

    mutating func number(ofSet index: UInt32, in tree: PatternTree) -> UInt32 {
        if let number = setNumbers[index] { return number }
        let number = UInt32(sets.count)
        sets.append(tree.sets[Int(index)])
        setNumbers[index] = number
        return number
    }

    mutating func number(of unit: UInt16) -> UInt32 {
        if let number = unitNumbers[unit] { return number }
        let number = UInt32(sets.count)
        sets.append(CharacterSet(unit))
        unitNumbers[unit] = number
        return number
    }
}
