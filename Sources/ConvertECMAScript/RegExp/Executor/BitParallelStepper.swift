/// Steps of an automaton with many live instructions: a bit for each, 64 of them at a time.
///
/// Consuming a unit moves the bits of the instructions that take it to the next ones, as in Shift-And (R. Baeza-Yates and
/// G. Gonnet, A New Approach to Text Searching, CACM 35(10), 1992). Branches follow word by word: those that go to the
/// next instruction with one addition, whose carry runs through a chain of them, and the others together as far as they
/// go to the same place or equally far. So a step mostly costs a few operations for each word of the automaton. Where
/// loops nest deeply it may take as many rounds as they have levels.
struct BitParallelStepper: Sendable {
    /// Whether the pattern has matched, as for `AutomatonStepper`.
    private(set) var hasMatched = false
    /// Words and branches looked at since they were counted last.
    private var work = 0
    private let plan: BitParallelPlan
    /// A bit for each look of the automaton, to be set before a step.
    private var truths: [UInt64]
    /// The assertions and looks that let pass at the moment.
    private var open: [UInt64]
    /// The instructions that consume each class of units met so far, one list of words after the other.
    private var consuming: [UInt64] = []
    private var consumingStarts: [Int: Int] = [:]
    private var alive: [UInt64]
    /// A bit for each word of `alive` with something that has not been followed yet.
    private var pending: [UInt64]
    private var context = Automaton.Context.edge
    private let capacity: Int

    /// - Parameter capacity: Bytes that `consuming` may take, apart from what the automaton's size adds.
    init(_ automaton: Automaton, capacity: Int = RegExpLimits.cacheBytes) {
        self.capacity = capacity
        plan = BitParallelPlan(automaton)
        alive = plan.passing.map { _ in 0 }
        open = alive
        truths = [UInt64](repeating: 0, count: (automaton.looks.count + 63) / 64)
        pending = [UInt64](repeating: 0, count: (plan.wordCount + 63) / 64)
    }

    /// The words and branches looked at since the last call.
    mutating func takeVisits() -> Int {
        defer { work = 0 }
        return work
    }

    /// Takes over what `stepper` has come to.
    mutating func load(_ stepper: AutomatonStepper) {
        for word in alive.indices { alive[word] = 0 }
        hasMatched = false
        for index in stepper.alive { alive[Int(index) >> 6] |= 1 << UInt64(index & 63) }
        context = stepper.context
    }

    /// Says whether the body of a look matches at the position.
    mutating func setTruth(of look: Int, to isTrue: Bool) {
        let bit: UInt64 = 1 << UInt64(look & 63)
        if isTrue { truths[look >> 6] |= bit } else { truths[look >> 6] &= ~bit }
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
                case .look: stepper.alive.append(UInt32(index))
                case .match: if automaton.purpose == .table { stepper.alive.append(UInt32(index)) }
                case .jump, .split: break
                }
            }
        }
    }

    /// Consumes a unit of the class `column`. Returns whether anything can still match.
    mutating func advance(_ automaton: Automaton, column: Int) -> Bool {
        let next = automaton.classes.contexts[column]
        if automaton.hasAssertions {
            openGates(before: next)
            for word in 0..<plan.wordCount where alive[word] & open[word] != 0 { follow(word) }
            close()
            work += plan.wordCount
        }
        let hasMatchedBefore = isAtEnd
        if automaton.purpose != .table, hasMatchedBefore {
            hasMatched = true
            return true
        }
        context = next
        work += plan.wordCount
        let consuming = startOfConsuming(automaton, column)
        var carry: UInt64 = 0
        var isAlive = !automaton.isAnchored
        for word in 0..<plan.wordCount {
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
        if automaton.hasAssertions { openGates(before: nil) }
        close()
        hasMatched =
            automaton.purpose == .table ? hasMatchedBefore : isAtEnd
        return isAlive
    }

    /// Lets pass what holds where `next` stands behind the position. Where that is not known yet, looks wait too.
    private mutating func openGates(before next: Automaton.Context?) {
        for word in open.indices { open[word] = 0 }
        for gate in plan.gates where isOpen(gate.kind, before: next) {
            for (word, bits) in gate.words { open[word] |= bits }
        }
        work += plan.gates.count
    }

    private func isOpen(_ gate: Automaton.Instruction, before next: Automaton.Context?) -> Bool {
        switch gate {
        case .assertion(let assertion): assertion.holds(after: context, before: next) == true
        case .look(let look, let isNegative):
            next != nil && (truths[Int(look) >> 6] >> UInt64(look & 63) & 1 != 0) != isNegative
        case .set, .split, .jump, .match: false
        }
    }

    private var isAtEnd: Bool { alive[plan.match >> 6] >> UInt64(plan.match & 63) & 1 != 0 }

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
        let passing = plan.passing[word] | open[word]
        let (start, end) = (plan.starts[word], plan.starts[word + 1])
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
                let branch = plan.localBranches[number]
                let sources = live & branch.sources
                live |= sources &<< branch.rotation | sources &>> (64 &- branch.rotation)
            }
        } while live != last
        alive[word] = live
        if isCarried, word + 1 < plan.wordCount { add(1, to: word + 1) }
        var first = word
        for number in start.branches..<end.branches {
            let sources = live & plan.branches[number].sources
            guard sources != 0 else { continue }
            switch plan.branches[number].target {
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
        let limit = capacity + RegExpLimits.cacheBytesPerInstruction * automaton.code.count
        if 8 * (consuming.count + plan.wordCount) > limit {
            consuming.removeAll(keepingCapacity: true)
            consumingStarts.removeAll(keepingCapacity: true)
        }
        let start = consuming.count
        consuming.append(contentsOf: repeatElement(0, count: plan.wordCount))
        work += plan.wordCount + automaton.classes.setCount
        for set in 0..<automaton.classes.setCount where automaton.classes.contains(column, in: UInt32(set)) {
            work += plan.setStarts[set + 1] - plan.setStarts[set]
            for index in plan.instructionsOfSets[plan.setStarts[set]..<plan.setStarts[set + 1]] {
                consuming[start + Int(index) >> 6] |= 1 << UInt64(index & 63)
            }
        }
        consumingStarts[column] = start
        return start
    }
}
