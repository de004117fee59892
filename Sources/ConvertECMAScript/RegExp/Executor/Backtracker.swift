/// The matchers of ECMA-262, 22.2.2, as a machine: a program, a position, registers, and a stack of alternatives that
/// replaces continuations.
///
/// Every instruction takes one step, and long scans take steps in proportion. The search gives up beyond the budget.
struct Backtracker<Input: RegExpInput> {
    let program: Program
    let input: Input
    var scratch: BacktrackerScratch
    /// The number of steps that are left.
    var budget: Int
    /// Failures are recorded when the budget falls below this number. Short searches are faster without records.
    private let recordingBudget: Int

    /// - Parameters:
    ///   - steps: the number of steps that the search may take, in addition to the steps for the input's length.
    ///   - mostSteps: the maximum number of steps altogether.
    ///   - stepsBeforeRecording: the number of steps before failures are recorded.
    init(
        program: Program, input: Input, scratch: BacktrackerScratch, steps: Int = RegExpLimits.steps,
        mostSteps: Int = .max, stepsBeforeRecording: Int = 512
    ) {
        self.program = program
        self.input = input
        self.scratch = scratch
        self.scratch.prepare(registerCount: program.registerCount)
        budget = min(steps + RegExpLimits.stepsPerByte * input.count, mostSteps)
        recordingBudget = budget - stepsBeforeRecording
    }

    /// RegExpBuiltinExec's loop (22.2.7.2): tries the candidates of `prefilter` from left to right. After a match, the
    /// registers contain the captures.
    mutating func search(_ prefilter: Prefilter) throws(RegExpBudgetExceeded) -> Bool {
        guard input.count < Int(Int32.max) else { throw RegExpBudgetExceeded() }
        guard prefilter.mayMatch(input) else { return false }
        var start = 0
        while let candidate = prefilter.nextCandidate(in: input, from: start) {
            if try matches(at: candidate) { return true }
            guard candidate < input.count else { return false }
            start = startAfterFailure(at: candidate)
        }
        return false
    }

    /// The position at which the search continues after nothing has matched from `start`.
    ///
    /// A run without a maximum that starts at any position within the first run ends where the first run ended. All
    /// positions at which it could stop have already failed.
    private mutating func startAfterFailure(at start: Int) -> Int {
        var end = start
        if let run = program.leadingRun, take(Int.max, of: run, &end) > 0 { return end }
        return start + input.unit(at: start).width
    }

    /// Runs the program from `start`. If it fails, all registers are restored.
    private mutating func matches(at start: Int) throws(RegExpBudgetExceeded) -> Bool {
        var position = start
        var index = 0
        while true {
            budget -= 1
            if budget < 0 || scratch.stack.count > RegExpLimits.stackEntries { throw RegExpBudgetExceeded() }
            if let next = step(program.code[index], at: index, &position) {
                if next == index { return true }
                index = next
            } else if let next = backtrack(&position) {
                index = next
            } else {
                return false
            }
        }
    }

    /// Performs one instruction, and returns the index of the next instruction, or `nil` if it fails. Only `match`
    /// returns its own index.
    @inline(__always)
    private mutating func step(_ instruction: Instruction, at index: Int, _ position: inout Int) -> Int? {
        switch instruction {
        case .match: return index
        case .unit(let unit, let backward):
            guard let read = read(&position, backward), read == unit else { return nil }
            return index + 1
        case .pair(let first, let second, let backward):
            guard let read = read(&position, backward), read == first || read == second else { return nil }
            return index + 1
        case .set(let set, let backward):
            guard let read = read(&position, backward), program.sets.contains(read, in: set) else { return nil }
            return index + 1
        case .run(let run): return startRun(program.runs[Int(run)], at: index, &position)
        case .assertion(let assertion): return input.holds(assertion, at: position) ? index + 1 : nil
        case .jump(let target): return Int(target)
        case .split(let first, let second, let remembers):
            if remembers, budget < recordingBudget {
                if scratch.failures.contains(index, position) { return nil }
                push(.failure, index, position)
            }
            push(.choice, Int(second), position)
            return Int(first)
        case .save(let register):
            set(register, to: position)
            return index + 1
        case .resetGroups(let first, let end):
            reset(Int(first)..<Int(end))
            return index + 1
        case .checkProgress(let register):
            return scratch.registers[Int(register)] == Int32(position) ? nil : index + 1
        case .enterLoop(let loop):
            set(program.loops[Int(loop)].counter, to: 0)
            return index + 1
        case .loop(let loop): return nextIteration(program.loops[Int(loop)], position)
        case .startIteration(let loop):
            startIteration(program.loops[Int(loop)], position)
            return index + 1
        case .endIteration(let loop):
            let loop = program.loops[Int(loop)]
            if let start = loop.start, scratch.registers[Int(start)] == Int32(position),
                Int(scratch.registers[Int(loop.counter)]) > loop.minimum
            {
                return nil
            }
            return Int(loop.head)
        case .look(let look):
            push(.look, index, position)
            // The register is written at every entry before it is read, so it need not be restored.
            let lookaround = program.lookarounds[Int(look)]
            scratch.registers[Int(lookaround.height)] = Int32(scratch.stack.count)
            return lookaround.body.lowerBound
        case .endLook(let look): return endLookaround(program.lookarounds[Int(look)], &position)
        case .backReference(let reference):
            return matchesReference(program.references[Int(reference)], &position) ? index + 1 : nil
        }
    }

    @inline(__always)
    func read(_ position: inout Int, _ backward: Bool) -> UInt16? {
        if backward {
            guard position > 0 else { return nil }
            let (unit, width) = input.unit(before: position)
            position -= width
            return unit
        }
        guard position < input.count else { return nil }
        let (unit, width) = input.unit(at: position)
        position += width
        return unit
    }

    @inline(__always)
    private mutating func push(_ kind: BacktrackerScratch.EntryKind, _ index: Int, _ value: Int, limit: Int = 0) {
        scratch.stack.append(.init(kind: kind, index: Int32(index), value: Int32(value), limit: Int32(limit)))
    }

    @inline(__always)
    private mutating func set(_ register: UInt32, to value: Int) {
        push(.register, Int(register), Int(scratch.registers[Int(register)]))
        scratch.registers[Int(register)] = Int32(value)
    }

    private mutating func reset(_ groups: Range<Int>) {
        budget -= groups.count >> 2
        for register in 2 * groups.lowerBound..<2 * groups.upperBound where scratch.registers[register] >= 0 {
            set(UInt32(register), to: -1)
        }
    }

    /// Undoes the failed path back to the latest choice, and returns the instruction to continue at, or `nil` if there
    /// is no choice.
    private mutating func backtrack(_ position: inout Int) -> Int? {
        while let entry = scratch.stack.popLast() {
            let index = Int(entry.index)
            switch entry.kind {
            case .choice:
                position = Int(entry.value)
                return index
            case .register: scratch.registers[index] = entry.value
            case .failure: scratch.failures.insert(index, Int(entry.value))
            case .greedyRun, .lazyRun:
                if let next = resumeRun(entry, &position) { return next }
            case .look:
                guard case .look(let look) = program.code[index] else { break }
                if program.lookarounds[Int(look)].isNegative {
                    position = Int(entry.value)
                    return index + 1
                }
            }
        }
        return nil
    }
}

/// Runs: RepeatMatcher (22.2.2.3.1) over a CharacterSetMatcher (22.2.2.7.1).
extension Backtracker {
    private mutating func startRun(_ run: Program.Run, at index: Int, _ position: inout Int) -> Int? {
        guard take(run.minimum, of: run, &position) == run.minimum else { return nil }
        let least = position
        let records = run.remembers && budget < recordingBudget
        if run.isGreedy {
            take(run.maximum - run.minimum, of: run, &position)
            if position != least || records { push(.greedyRun, index, position, limit: least) }
        } else {
            // An input is shorter than 2³¹ bytes, so this does not limit a run without a maximum.
            let more = min(run.maximum - run.minimum, Int(Int32.max))
            if more > 0 || records { push(.lazyRun, index, position, limit: more) }
        }
        return records && scratch.failures.contains(index, position) ? nil : index + 1
    }

    /// Consumes up to `wanted` units of the run's set, and returns their number.
    @inline(__always)
    @discardableResult
    private mutating func take(_ wanted: Int, of run: Program.Run, _ position: inout Int) -> Int {
        let ascii = program.sets.ascii(of: run.set)
        var taken = 0
        // The number of units that are searched for in the set's ranges.
        var searched = 0
        var next = position
        while taken < wanted, let unit = read(&next, run.isBackward) {
            if unit < 128 {
                guard ascii.contains(unit) else { break }
            } else {
                searched += 1
                guard program.sets.contains(unit, in: run.set) else { break }
            }
            taken += 1
            position = next
        }
        budget -= taken >> 1 + searched
        return taken
    }

    /// Continues a run, after the code that follows it has failed at position `entry.value`. A greedy run gives back
    /// one unit, down to the position `entry.limit`. A lazy run takes one more unit, of at most `entry.limit`.
    private mutating func resumeRun(_ entry: BacktrackerScratch.Entry, _ position: inout Int) -> Int? {
        let index = Int(entry.index)
        guard case .run(let number) = program.code[index] else { return nil }
        let run = program.runs[Int(number)]
        let records = run.remembers && budget < recordingBudget
        var limit = Int(entry.limit)
        var next = Int(entry.value)
        if records { scratch.failures.insert(index, next) }
        while run.isGreedy ? next != limit : limit > 0 {
            budget -= 1
            guard let unit = read(&next, run.isBackward != run.isGreedy) else { return nil }
            if !run.isGreedy {
                guard program.sets.contains(unit, in: run.set) else { return nil }
                limit -= 1
            }
            if records, scratch.failures.contains(index, next) { continue }
            let isLast = run.isGreedy ? next == limit : limit == 0
            if !isLast || records { push(entry.kind, index, next, limit: limit) }
            position = next
            return index + 1
        }
        return nil
    }
}

/// Loops and lookarounds.
extension Backtracker {
    /// RepeatMatcher's choice between another iteration and the continuation.
    private mutating func nextIteration(_ loop: Program.Loop, _ position: Int) -> Int {
        let count = Int(scratch.registers[Int(loop.counter)])
        if count >= loop.maximum { return Int(loop.exit) }
        if count >= loop.minimum {
            if !loop.isGreedy {
                push(.choice, Int(loop.body), position)
                return Int(loop.exit)
            }
            push(.choice, Int(loop.exit), position)
        }
        return Int(loop.body)
    }

    private mutating func startIteration(_ loop: Program.Loop, _ position: Int) {
        set(loop.counter, to: Int(scratch.registers[Int(loop.counter)]) + 1)
        if let start = loop.start { set(start, to: position) }
        reset(loop.groups)
    }

    /// Called when the body has matched. A negative lookaround fails, and a positive lookaround continues where it
    /// began. In both cases the body's choices are removed.
    private mutating func endLookaround(_ lookaround: Program.Lookaround, _ position: inout Int) -> Int? {
        let height = Int(scratch.registers[Int(lookaround.height)])
        if lookaround.isNegative {
            while scratch.stack.count >= height, let entry = scratch.stack.popLast() {
                if entry.kind == .register { scratch.registers[Int(entry.index)] = entry.value }
            }
            return nil
        }
        let look = scratch.stack[height - 1]
        position = Int(look.value)
        // Captures from the body are kept, and undone if the code after the lookaround fails.
        var kept = height - 1
        budget -= (scratch.stack.count - height) >> 3
        for entry in height..<scratch.stack.count where scratch.stack[entry].kind == .register {
            scratch.stack[kept] = scratch.stack[entry]
            kept += 1
        }
        scratch.stack.removeLast(scratch.stack.count - kept)
        return Int(look.index) + 1
    }
}
