/// The matchers of ECMA-262, 22.2.2, as a machine: a program, a position, registers, and a stack of what to try next
/// instead of continuations that call each other.
///
/// Every instruction is a step; so are longer scans in proportion. Beyond the budget the search gives up.
struct Backtracker<Input: RegExpInput> {
    let program: Program
    let input: Input
    var scratch: BacktrackerScratch
    /// Steps left.
    var budget: Int
    /// Below this budget failures are recorded: short searches are faster without.
    private let recordingBudget: Int

    /// - Parameter stepsBeforeRecording: Steps after which failures are recorded.
    init(program: Program, input: Input, scratch: BacktrackerScratch, stepsBeforeRecording: Int = 512) {
        self.program = program
        self.input = input
        self.scratch = scratch
        self.scratch.prepare(registerCount: program.registerCount)
        budget = RegExpLimits.steps + RegExpLimits.stepsPerUnit * input.count
        recordingBudget = budget - stepsBeforeRecording
    }

    /// RegExpBuiltinExec's loop (22.2.7.2): tries `prefilter`'s candidates from left to right. After success the
    /// captures are in the registers.
    mutating func search(_ prefilter: Prefilter) throws(RegExpBudgetExceeded) -> Bool {
        guard input.count < Int(Int32.max) else { throw RegExpBudgetExceeded() }
        guard prefilter.mayMatch(input) else { return false }
        var start = 0
        while let candidate = prefilter.nextCandidate(in: input, from: start) {
            if try matches(at: candidate) { return true }
            start = candidate + 1
        }
        return false
    }

    /// Runs the program from `start`. All registers are as before if it fails.
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

    /// Performs one instruction and returns the next one's index, or `nil` if it fails. Only `match` stays where it is.
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
            // Set anew at every entry before it is read, so nothing needs to put it back.
            scratch.registers[Int(program.lookarounds[Int(look)].height)] = Int32(scratch.stack.count)
            return index + 1
        case .endLook(let look): return endLookaround(program.lookarounds[Int(look)], &position)
        case .backReference(let reference):
            return matchesReference(program.references[Int(reference)], &position) ? index + 1 : nil
        }
    }

    @inline(__always)
    private func read(_ position: inout Int, _ backward: Bool) -> UInt16? {
        if backward {
            guard position > 0 else { return nil }
            position -= 1
            return input[position]
        }
        guard position < input.count else { return nil }
        position += 1
        return input[position - 1]
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

    /// Undoes the path that failed up to the latest choice, and returns where to go on.
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
                let lookaround = program.lookarounds[Int(look)]
                if lookaround.isNegative {
                    position = Int(entry.value)
                    return Int(lookaround.exit)
                }
            }
        }
        return nil
    }
}

/// Runs: RepeatMatcher (22.2.2.3.1) over a CharacterSetMatcher (22.2.2.7.1).
extension Backtracker {
    private mutating func startRun(_ run: Program.Run, at index: Int, _ position: inout Int) -> Int? {
        let available = run.isBackward ? position : input.count - position
        guard available >= run.minimum else { return nil }
        let direction = run.isBackward ? -1 : 1
        let wanted = run.isGreedy ? min(available, run.maximum) : run.minimum
        var taken = 0
        // Units that take a search in the set's ranges.
        var searched = 0
        // `offset` is where the next unit lies: at the position, or before it.
        let offset = run.isBackward ? -1 : 0
        let ascii = program.sets.ascii(of: run.set)
        while taken < wanted {
            let unit = input[position + taken * direction + offset]
            if unit < 128 {
                guard ascii.contains(unit) else { break }
            } else {
                searched += 1
                guard program.sets.contains(unit, in: run.set) else { break }
            }
            taken += 1
        }
        budget -= taken >> 1 + searched
        guard taken >= run.minimum else { return nil }
        let least = position + run.minimum * direction
        position += taken * direction
        let records = run.remembers && budget < recordingBudget
        if run.isGreedy {
            if taken > run.minimum || records { push(.greedyRun, index, position, limit: least) }
            if records, scratch.failures.contains(index, position) { return nil }
        } else {
            let most = position + (min(available, run.maximum) - taken) * direction
            if position != most || records { push(.lazyRun, index, position, limit: most) }
            if records, scratch.failures.contains(index, position) { return nil }
        }
        return index + 1
    }

    /// What follows the run failed at `entry.value`: goes on one unit nearer to the limit.
    private mutating func resumeRun(_ entry: BacktrackerScratch.Entry, _ position: inout Int) -> Int? {
        let index = Int(entry.index)
        guard case .run(let number) = program.code[index] else { return nil }
        let run = program.runs[Int(number)]
        let records = run.remembers && budget < recordingBudget
        let limit = Int(entry.limit)
        var next = Int(entry.value)
        if records { scratch.failures.insert(index, next) }
        while next != limit {
            let isForward = run.isBackward == run.isGreedy
            next += isForward ? 1 : -1
            budget -= 1
            if !run.isGreedy, !program.sets.contains(input[isForward ? next - 1 : next], in: run.set) { return nil }
            if records, scratch.failures.contains(index, next) { continue }
            if next != limit || records { push(entry.kind, index, next, limit: limit) }
            position = next
            return index + 1
        }
        return nil
    }
}

/// Loops, lookarounds and back references.
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

    /// The body matched: a negative one fails, a positive one goes on where it began. Either way its choices are gone.
    private mutating func endLookaround(_ lookaround: Program.Lookaround, _ position: inout Int) -> Int? {
        let height = Int(scratch.registers[Int(lookaround.height)])
        if lookaround.isNegative {
            while scratch.stack.count >= height, let entry = scratch.stack.popLast() {
                if entry.kind == .register { scratch.registers[Int(entry.index)] = entry.value }
            }
            return nil
        }
        position = Int(scratch.stack[height - 1].value)
        // Captures made in the body stay, and are undone if what follows fails.
        var kept = height - 1
        budget -= (scratch.stack.count - height) >> 3
        for entry in height..<scratch.stack.count where scratch.stack[entry].kind == .register {
            scratch.stack[kept] = scratch.stack[entry]
            kept += 1
        }
        scratch.stack.removeLast(scratch.stack.count - kept)
        return Int(lookaround.exit)
    }

    /// BackreferenceMatcher (22.2.2.7.2). A group that is not set, or still open, matches the empty text.
    private mutating func matchesReference(_ reference: Program.Reference, _ position: inout Int) -> Bool {
        budget -= reference.groups.count >> 2
        guard
            let group = reference.groups.first(where: {
                scratch.registers[2 * $0] >= 0 && scratch.registers[2 * $0 + 1] >= 0
            })
        else { return true }
        let start = Int(scratch.registers[2 * group])
        let length = Int(scratch.registers[2 * group + 1]) - start
        let from = reference.isBackward ? position - length : position
        guard from >= 0, from + length <= input.count else { return false }
        budget -= length >> 2
        for offset in 0..<length {
            let (left, right) = (input[start + offset], input[from + offset])
            if left == right { continue }
            budget -= 2
            guard reference.ignoreCase, Canonicalize.unit(left) == Canonicalize.unit(right) else { return false }
        }
        position = reference.isBackward ? from : from + length
        return true
    }
}
