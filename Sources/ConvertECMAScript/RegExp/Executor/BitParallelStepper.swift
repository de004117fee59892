/// Steps of an automaton with many live instructions: a bit for each, 64 of them at a time.
///
/// Consuming a unit moves the bits of the instructions that take it to the next ones, as in Shift-And (R. Baeza-Yates and
/// G. Gonnet, A New Approach to Text Searching, CACM 35(10), 1992). Branches follow word by word: those that go to the
/// next instruction with one addition, whose carry runs through a chain of them, and the others together as far as they
/// go to the same place or equally far. So a step mostly costs a few operations for each word of the automaton. Where
/// loops nest deeply it may take as many rounds as they have levels.
struct BitParallelStepper: Sendable {
    /// Branches of one word that lead away from it alike.
    private struct Branch {
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
    private struct LocalBranch {
        var sources: UInt64
        /// How many places to the left the bits move, around the word's end if they go back.
        var rotation: UInt64
    }

    /// Whether the pattern has matched.
    var hasMatched: Bool { alive[match >> 6] >> UInt64(match & 63) & 1 != 0 }

    /// Words and branches looked at so far.
    private(set) var work = 0

    private let wordCount: Int
    private let match: Int
    /// What can go on at the next instruction without consuming.
    private var passing: [UInt64]
    /// Those of one kind of assertion, a list of words for each kind that occurs.
    private var assertions: [(kind: PatternTree.Assertion, words: [UInt64])] = []
    /// The assertions that let pass at the moment.
    private var holding: [Int] = []
    private var branches: [Branch] = []
    private var localBranches: [LocalBranch] = []
    /// Where each word's branches start.
    private var starts: [(branches: Int, localBranches: Int)] = [(0, 0)]
    /// The instructions that consume each set, one list after the other, and where the lists start.
    private var instructionsOfSets: [UInt32] = []
    private var setStarts: [Int]
    /// The instructions that consume each class of units met so far, one list of words after the other.
    private var consuming: [UInt64] = []
    private var consumingStarts: [Int: Int] = [:]

    private var alive: [UInt64]
    /// A bit for each word of `alive` with something that has not been followed yet.
    private var pending: [UInt64]
    private var context = Automaton.Context.edge

    init(_ automaton: Automaton) {
        wordCount = (automaton.code.count + 63) / 64
        match = automaton.code.count - 1
        passing = [UInt64](repeating: 0, count: wordCount)
        alive = passing
        pending = [UInt64](repeating: 0, count: (wordCount + 63) / 64)
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
            case .assertion(let kind):
                if !assertions.contains(where: { $0.kind == kind }) {
                    assertions.append((kind, [UInt64](repeating: 0, count: wordCount)))
                }
                for number in assertions.indices where assertions[number].kind == kind {
                    assertions[number].words[word] |= bit
                }
            case .jump(let target): edges.append((index, Int(target)))
            case .split(_, let second):
                passing[word] |= bit
                edges.append((index, Int(second)))
            }
        }
        addBranches(edges, of: word)
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

extension BitParallelStepper {
    /// Takes over what `stepper` has come to.
    mutating func load(_ stepper: AutomatonStepper) {
        for word in alive.indices { alive[word] = 0 }
        for index in stepper.alive { alive[Int(index) >> 6] |= 1 << UInt64(index & 63) }
        context = stepper.context
    }

    /// Hands over to `stepper`, whose set has only what consumes or waits for the next unit.
    func unload(_ automaton: Automaton, into stepper: inout AutomatonStepper) {
        stepper.alive.removeAll(keepingCapacity: true)
        stepper.context = context
        for word in alive.indices {
            var bits = alive[word]
            while bits != 0 {
                let index = word * 64 + bits.trailingZeroBitCount
                bits &= bits - 1
                switch automaton.code[index] {
                case .set: stepper.alive.append(UInt32(index))
                case .assertion(let kind):
                    if kind.holds(after: context, before: nil) == nil { stepper.alive.append(UInt32(index)) }
                case .match, .jump, .split: break
                }
            }
        }
    }

    /// Consumes a unit of the class `column`. Returns whether anything can still match.
    mutating func advance(_ automaton: Automaton, column: Int) -> Bool {
        let next = automaton.classes.contexts[column]
        if automaton.hasAssertions {
            hold(before: next)
            for number in holding {
                for word in 0..<wordCount where alive[word] & assertions[number].words[word] != 0 { follow(word) }
            }
            close()
            if hasMatched { return true }
            work += wordCount
        }
        context = next
        work += wordCount
        let consuming = startOfConsuming(automaton, column)
        var carry: UInt64 = 0
        var isAlive = !automaton.isAnchored
        for word in 0..<wordCount {
            let moving = alive[word] & self.consuming[consuming + word]
            let moved = moving << 1 | carry
            carry = moving >> 63
            alive[word] = moved
            if moved != 0 {
                follow(word)
                isAlive = true
            }
        }
        if !automaton.isAnchored { add(1, to: 0) }
        if automaton.hasAssertions { hold(before: nil) }
        close()
        return isAlive
    }

    /// Lets pass the assertions that hold where `next` stands behind the position.
    private mutating func hold(before next: Automaton.Context?) {
        holding.removeAll(keepingCapacity: true)
        for number in assertions.indices where assertions[number].kind.holds(after: context, before: next) == true {
            holding.append(number)
        }
    }

    private mutating func follow(_ word: Int) { pending[word >> 6] |= 1 << UInt64(word & 63) }

    private mutating func add(_ bits: UInt64, to word: Int) {
        guard bits & ~alive[word] != 0 else { return }
        alive[word] |= bits
        follow(word)
    }

    /// Adds everything that the live instructions lead to without consuming.
    private mutating func close() {
        var group = 0
        while group < pending.count {
            guard pending[group] != 0 else {
                group += 1
                continue
            }
            let word = group * 64 + pending[group].trailingZeroBitCount
            pending[group] &= pending[group] - 1
            group = min(group, close(word))
        }
    }

    /// Follows what is live in one word. Returns the first group of words to which that has added something.
    private mutating func close(_ word: Int) -> Int {
        var passing = passing[word]
        for number in holding { passing |= assertions[number].words[word] }
        let (start, end) = (starts[word], starts[word + 1])
        var live = alive[word]
        var last: UInt64
        var isCarried: Bool
        work += 1 + end.branches - start.branches
        repeat {
            last = live
            work += 1 + end.localBranches - start.localBranches
            // Added to `passing`, a live bit carries up to the first place that does not pass on: what changes is
            // reached.
            let (sum, overflow) = passing.addingReportingOverflow(live & passing)
            live |= sum ^ passing
            isCarried = overflow
            for number in start.localBranches..<end.localBranches {
                let branch = localBranches[number]
                let sources = live & branch.sources
                live |= sources &<< branch.rotation | sources &>> (64 &- branch.rotation)
            }
        } while live != last
        alive[word] = live
        if isCarried, word + 1 < wordCount { add(1, to: word + 1) }
        var first = word
        for number in start.branches..<end.branches {
            let sources = live & branches[number].sources
            guard sources != 0 else { continue }
            switch branches[number].target {
            case .instruction(let target):
                add(1 << UInt64(target & 63), to: target >> 6)
                first = min(first, target >> 6)
            case .distance(let distance):
                let (low, shift) = (word + distance >> 6, UInt64(distance & 63))
                if sources << shift != 0 { add(sources << shift, to: low) }
                if shift > 0, sources >> (64 - shift) != 0 { add(sources >> (64 - shift), to: low + 1) }
                first = min(first, low)
            }
        }
        return max(0, first) >> 6
    }

    /// Where in `consuming` the instructions that take units of the class `column` are.
    private mutating func startOfConsuming(_ automaton: Automaton, _ column: Int) -> Int {
        if let start = consumingStarts[column] { return start }
        let limit = RegExpLimits.cacheBytes + RegExpLimits.cacheBytesPerInstruction * automaton.code.count
        if 8 * (consuming.count + wordCount) > limit {
            consuming.removeAll(keepingCapacity: true)
            consumingStarts.removeAll(keepingCapacity: true)
        }
        let start = consuming.count
        consuming.append(contentsOf: repeatElement(0, count: wordCount))
        work += wordCount + automaton.classes.setCount
        for set in 0..<automaton.classes.setCount where automaton.classes.contains(column, in: UInt32(set)) {
            work += setStarts[set + 1] - setStarts[set]
            for index in instructionsOfSets[setStarts[set]..<setStarts[set + 1]] {
                consuming[start + Int(index) >> 6] |= 1 << UInt64(index & 63)
            }
        }
        consumingStarts[column] = start
        return start
    }
}
