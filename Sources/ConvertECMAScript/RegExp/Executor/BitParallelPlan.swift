/// The instructions of an automaton, laid out for steps that take 64 of them at a time.
struct BitParallelPlan: Sendable {
    /// Branches of one word that lead away from it alike.
    struct Branch {
        enum Target {
            /// One instruction.
            case instruction(Int)
            /// As many instructions further on, or back.
            case distance(Int)
        }

        var sources: UInt64
        var target: Target
    }

    /// Branches of one word that stay within it.
    struct LocalBranch {
        var sources: UInt64
        /// How many places to the left the bits move, around the word's end if they go back.
        var rotation: UInt64
    }

    /// Something that lets pass at some positions, and the instructions that ask it, as words with their numbers.
    struct Gate {
        var kind: Automaton.Instruction
        var words: [(number: Int, bits: UInt64)]
    }

    let wordCount: Int
    /// The instruction that ends the automaton.
    let match: Int
    /// What can go on at the next instruction without consuming.
    private(set) var passing: [UInt64]
    /// The kinds of assertions and looks that occur.
    private(set) var gates: [Gate] = []
    private(set) var branches: [Branch] = []
    private(set) var localBranches: [LocalBranch] = []
    /// Where each word's branches start.
    private(set) var starts: [(branches: Int, localBranches: Int)] = [(0, 0)]
    /// The instructions that consume each set, one list after the other, and where the lists start.
    private(set) var instructionsOfSets: [UInt32] = []
    private(set) var setStarts: [Int]
    /// The numbers in `gates` of assertions, and of looks with whether they are negative.
    private var gatesOfAssertions: [PatternTree.Assertion: Int] = [:]
    private var gatesOfLooks: [UInt64: Int] = [:]

    init(_ automaton: Automaton) {
        wordCount = (automaton.code.count + 63) / 64
        match = automaton.code.count - 1
        passing = [UInt64](repeating: 0, count: wordCount)
        setStarts = [Int](repeating: 0, count: automaton.classes.setCount + 1)
        listInstructionsOfSets(automaton)
        for word in 0..<wordCount { addInstructions(of: word, automaton) }
    }

    private mutating func listInstructionsOfSets(_ automaton: Automaton) {
        for case .set(let set) in automaton.code { setStarts[Int(set) + 1] += 1 }
        for set in 1..<setStarts.count { setStarts[set] += setStarts[set - 1] }
        var next = setStarts
        instructionsOfSets = [UInt32](repeating: 0, count: setStarts[setStarts.count - 1])
        for index in automaton.code.indices {
            guard case .set(let set) = automaton.code[index] else { continue }
            instructionsOfSets[next[Int(set)]] = UInt32(index)
            next[Int(set)] += 1
        }
    }

    private mutating func addInstructions(of word: Int, _ automaton: Automaton) {
        var edges: [(source: Int, target: Int)] = []
        for index in word * 64..<min(word * 64 + 64, automaton.code.count) {
            let bit: UInt64 = 1 << UInt64(index & 63)
            switch automaton.code[index] {
            case .set, .match: break
            case .assertion(let assertion):
                let gate = gatesOfAssertions[assertion] ?? gates.count
                gatesOfAssertions[assertion] = gate
                add(bit, of: word, to: gate, automaton.code[index])
            case .look(let look, let isNegative):
                let key = UInt64(look) << 1 | (isNegative ? 1 : 0)
                let gate = gatesOfLooks[key] ?? gates.count
                gatesOfLooks[key] = gate
                add(bit, of: word, to: gate, automaton.code[index])
            case .jump(let target): edges.append((index, Int(target)))
            case .split(_, let second):
                passing[word] |= bit
                edges.append((index, Int(second)))
            }
        }
        addBranches(edges, of: word)
    }

    private mutating func add(_ bit: UInt64, of word: Int, to gate: Int, _ kind: Automaton.Instruction) {
        if gate == gates.count { gates.append(Gate(kind: kind, words: [])) }
        // Words come in order, so the last one is the only one that can be there.
        if let last = gates[gate].words.indices.last, gates[gate].words[last].number == word {
            gates[gate].words[last].bits |= bit
        } else {
            gates[gate].words.append((word, bit))
        }
    }

    /// Groups `edges`, which go out from `word`, by where they lead.
    private mutating func addBranches(_ edges: [(source: Int, target: Int)], of word: Int) {
        var sourcesByTarget: [Int: UInt64] = [:]
        var sourcesByDistance: [Int: UInt64] = [:]
        var sourcesByRotation: [UInt64: UInt64] = [:]
        for (source, target) in edges {
            let bit: UInt64 = 1 << UInt64(source & 63)
            if target >> 6 == word {
                sourcesByRotation[UInt64(truncatingIfNeeded: target - source) & 63, default: 0] |= bit
            } else {
                sourcesByTarget[target, default: 0] |= bit
            }
        }
        for (target, sources) in sourcesByTarget {
            if sources.nonzeroBitCount > 1 {
                branches.append(Branch(sources: sources, target: .instruction(target)))
            } else {
                let source = word * 64 + sources.trailingZeroBitCount
                sourcesByDistance[target - source, default: 0] |= sources
            }
        }
        for (distance, sources) in sourcesByDistance {
            branches.append(Branch(sources: sources, target: .distance(distance)))
        }
        // In order, most of what follows from another branch follows in the same round.
        let rotations = sourcesByRotation.sorted { $0.value.trailingZeroBitCount < $1.value.trailingZeroBitCount }
        localBranches += rotations.map { LocalBranch(sources: $0.value, rotation: $0.key) }
        starts.append((branches.count, localBranches.count))
    }
}
