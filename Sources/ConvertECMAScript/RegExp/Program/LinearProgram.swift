/// A program without counters, runs and back references, with facts about its instructions for the linear matcher.
final class LinearProgram: Sendable {
    /// The pattern, or the body of a lookaround.
    struct Part: Sendable {
        /// The part's instructions. The last instruction is its end.
        var code: Range<Int>
        /// Whether the part reads from right to left.
        var isBackward: Bool
        /// The groups inside, including those of inner lookarounds.
        var groups: Range<Int>
    }

    let program: Program
    /// Whether the program matches only where the pattern matches, because the pattern has no back references.
    let isExact: Bool
    /// Whether a match can begin only at 0.
    let isAnchored: Bool
    let main: Part
    /// The bodies of the lookarounds, by number.
    let lookarounds: [Part]
    /// The instructions that lead to each instruction without consuming, one list after the other, and the start of
    /// each list.
    private let sources: [UInt32]
    private let sourceStarts: [UInt32]
    /// Whether an instruction is inside an iteration that may not be empty, or inside a lazy loop whose first iteration
    /// may be empty.
    private let isInIteration: [Bool]
    /// Whether there is such a lazy loop.
    let hasLazyLoops: Bool

    /// Longer inputs need exact counting.
    let longestInput: Int

    /// Returns `nil` if writing out the counts of `tree` takes more than this many instructions.
    init?(
        _ tree: PatternTree, _ analysis: PatternAnalysis, isAnchored: Bool,
        instructions: Int = RegExpLimits.linearInstructions
    ) {
        // The limit never rejects text that the pattern writes out itself, because only counts multiply instructions.
        let limit = max(instructions, WrittenOut.mostPerNode * tree.nodes.count)
        guard let program = ProgramCompiler.compileWrittenOut(tree, analysis, limit: limit) else { return nil }
        self.program = program
        isExact = !analysis[tree.root].hasReferences
        self.isAnchored = isAnchored
        longestInput = tree.longestUncountedInput
        main = Part(code: program.main, isBackward: false, groups: 1..<program.groupCount + 1)
        var parts: [Part] = []
        for lookaround in program.lookarounds {
            let groups = Self.groups(in: lookaround.body, program, parts)
            parts.append(Part(code: lookaround.body, isBackward: lookaround.isBehind, groups: groups))
        }
        lookarounds = parts
        (sources, sourceStarts) = Self.sources(program)
        isInIteration = Self.iterations(program)
        hasLazyLoops = !program.loops.isEmpty
    }

    /// The approximate size of the program in bytes.
    var footprint: Int {
        1_000 + program.footprint + 4 * (sources.count + sourceStarts.count) + isInIteration.count
            + lookarounds.count * MemoryLayout<Part>.stride
    }

    /// The instructions that lead to `instruction` without consuming.
    @inline(__always)
    func sources(of instruction: Int) -> ArraySlice<UInt32> {
        sources[Int(sourceStarts[instruction])..<Int(sourceStarts[instruction + 1])]
    }

    /// Whether the behaviour at `instruction` depends on whether the surrounding iteration has consumed anything.
    @inline(__always)
    func isInIteration(_ instruction: Int) -> Bool { isInIteration[instruction] }

    /// Whether `instruction` begins an iteration that may not be empty. Lazy loops of `program.loops` do not count.
    @inline(__always)
    func beginsIteration(_ instruction: Instruction) -> Bool {
        guard case .save(let register) = instruction else { return false }
        return Int(register) > 2 * program.groupCount + 1
    }

    private static func sources(_ program: Program) -> ([UInt32], [UInt32]) {
        var edges: [(source: Int, target: Int)] = []
        for (index, instruction) in program.code.enumerated() {
            switch instruction {
            case .jump(let target): edges.append((index, Int(target)))
            case .split(let first, let second, _): edges += [(index, Int(first)), (index, Int(second))]
            case .assertion, .save, .resetGroups, .checkProgress, .look: edges.append((index, index + 1))
            default: break
            }
        }
        var starts = [UInt32](repeating: 0, count: program.code.count + 1)
        for edge in edges { starts[edge.target + 1] += 1 }
        for index in program.code.indices { starts[index + 1] += starts[index] }
        var next = starts
        var sources = [UInt32](repeating: 0, count: edges.count)
        for (source, target) in edges {
            sources[Int(next[target])] = UInt32(source)
            next[target] += 1
        }
        return (sources, starts)
    }

    private static func iterations(_ program: Program) -> [Bool] {
        var starts: [UInt32: Int] = [:]
        // The number of iterations that begin at an instruction, minus the number of iterations that end before it.
        var changes = [Int](repeating: 0, count: program.code.count + 1)
        for (index, instruction) in program.code.enumerated() {
            switch instruction {
            case .save(let register): starts[register] = index
            case .checkProgress(let register):
                if let start = starts[register] {
                    changes[start + 1] += 1
                    changes[index + 1] -= 1
                }
            case .loop: changes[index + 1] += 1
            case .endIteration: changes[index + 1] -= 1
            default: break
            }
        }
        var open = 0
        return program.code.indices.map { index in
            open += changes[index]
            return open > 0
        }
    }

    private static func groups(in body: Range<Int>, _ program: Program, _ inner: [Part]) -> Range<Int> {
        var result = 0..<0
        for instruction in program.code[body] {
            var groups = 0..<0
            switch instruction {
            case .save(let register) where register < 2 * program.groupCount + 2:
                groups = Int(register) / 2..<Int(register) / 2 + 1
            case .look(let look): groups = inner[Int(look)].groups
            default: break
            }
            guard !groups.isEmpty else { continue }
            result =
                result.isEmpty
                ? groups
                : min(result.lowerBound, groups.lowerBound)..<max(result.upperBound, groups.upperBound)
        }
        return result
    }
}
