extension RegExp {
    /// About how many bytes the compiled pattern takes, without the memory that executors keep between calls. A short
    /// pattern takes some thousands; counted repetitions and large classes take the most.
    package var footprint: Int { compiled.footprint }
}

extension AutomatonSet {
    /// About how many bytes the automata take.
    var footprint: Int {
        lookarounds.reduce(main.footprint) { sum, lookaround in
            sum + (lookaround.map { $0.table.footprint + ($0.direct?.footprint ?? 0) } ?? 0)
        }
    }
}

extension Automaton {
    /// About how many bytes the automaton takes.
    var footprint: Int {
        code.count * MemoryLayout<Instruction>.stride + reachableLooks.count * MemoryLayout<UInt64>.stride
            + classes.footprint
    }
}
