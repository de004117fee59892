extension RegExp {
    /// The approximate size of the compiled pattern in bytes, without the memory that executors keep between calls. A
    /// short pattern takes some thousands of bytes. Counted repetitions and large classes take the most.
    package var footprint: Int { compiled.footprint }
}

extension AutomatonSet {
    /// The approximate size of the automata in bytes.
    var footprint: Int {
        lookarounds.reduce(main.footprint) { sum, lookaround in
            sum + (lookaround.map { $0.table.footprint + ($0.direct?.footprint ?? 0) } ?? 0)
        }
    }
}

extension Automaton {
    /// The approximate size of the automaton in bytes.
    var footprint: Int {
        code.count * MemoryLayout<Instruction>.stride + reachableLooks.count * MemoryLayout<UInt64>.stride
            + classes.footprint
    }
}
