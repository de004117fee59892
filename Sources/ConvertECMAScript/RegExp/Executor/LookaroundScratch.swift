/// The memory of a pattern with lookarounds: the caches of its automata.
struct LookaroundScratch: PooledMemory {
    private let automata: AutomatonSet
    private var dfa = LazyDFA()
    private var truths: LookaroundTruths

    /// - Parameters:
    ///   - capacity: the number of bytes that the states of each automaton may take.
    ///   - directUnitsPerByte: the number of units that a lookahead's answers for single positions may read, for each
    ///     byte of the input.
    init(_ automata: AutomatonSet, capacity: Int = RegExpLimits.cacheBytes, directUnitsPerByte: Int = 2) {
        self.automata = automata
        dfa.capacity = capacity
        truths = LookaroundTruths(automata, capacity: capacity, directUnitsPerByte: directUnitsPerByte)
    }

    // Keep it inlined: the pool calls it after every test, and a call copies all of this memory (W4l).
    @inline(__always)
    var heldBytes: Int { dfa.heldBytes + truths.heldBytes }

    mutating func forget() {
        dfa.forget()
        truths.forget()
    }

    /// Whether the pattern matches `input`; `nil` beyond the budget or the memory limit of a test.
    mutating func test(_ input: UTF8Units, _ budget: inout RegExpBudget) -> Bool? {
        truths.start(input, visits: budget.visits)
        defer {
            budget.visits = truths.visitsLeft
            truths.rest()
            dfa.rest()
        }
        return dfa.test(automata.main, input, &truths)
    }
}
