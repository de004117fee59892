/// Numbers the sets of units that a pattern's automata consume: all of them share one division into classes.
struct SetNumbering {
    private(set) var sets: [CharacterSet] = []
    /// Whether an assertion looks at the units beside a position.
    var hasContextualAssertions = false
    /// The numbers of sets by their index in the tree, and of single units.
    private var setNumbers: [UInt32: UInt32] = [:]
    private var unitNumbers: [UInt16: UInt32] = [:]

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
