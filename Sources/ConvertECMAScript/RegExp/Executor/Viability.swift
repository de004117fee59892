/// The states of a part of a program from which the rest of that part matches, at one position of the input after the
/// other, against the part's direction.
///
/// A state is an instruction, and what the iteration around it has done: one that has consumed nothing may not end
/// (RepeatMatcher, ECMA-262, 22.2.2.3.1). Only the innermost iteration counts, because whatever consumes in it consumes in
/// those around it. The first iteration of a lazy loop may also be empty: for that it is known, by itself, whether its end
/// can be reached so.
struct Viability<Input: RegExpInput> {
    /// What the innermost iteration around an instruction has done, and has to do.
    enum Progress: Int, CaseIterable {
        /// It has consumed nothing, and has to.
        case required
        /// It has consumed something, or there is none.
        case made
        /// It consumes nothing up to its end, which is all that is asked.
        case none
    }

    private let program: LinearProgram
    private let part: LinearProgram.Part
    private let input: Input
    private(set) var position: Int
    /// A bit for each state: one after the other for each instruction, by what its iteration has done.
    private(set) var states: [UInt64]
    /// States of an instruction.
    let width: Int
    /// States visited so far.
    private(set) var work = 0
    /// The consuming instructions that lead to viable ones.
    private var consuming: [Int] = []
    private var consumingBefore: [Int] = []
    private var pending: [(index: Int, progress: Progress)] = []

    /// Begins at the end of `input` that the part reads towards.
    init(_ program: LinearProgram, _ part: LinearProgram.Part, _ input: Input, _ truths: TruthTables) {
        self.program = program
        self.part = part
        self.input = input
        position = part.isBackward ? 0 : input.count
        width = program.hasLazyLoops ? 3 : 2
        states = [UInt64](repeating: 0, count: (width * part.code.count + 63) / 64)
        settle(truths)
    }

    /// Stands at `position` with `states` that were found out there before.
    mutating func resume(at position: Int, with states: [UInt64]) {
        self.position = position
        self.states = states
        consuming.removeAll(keepingCapacity: true)
        for index in part.code.dropFirst() where isViable(index, .made) { noteConsuming(before: index) }
    }

    /// Whether the rest of the part matches from instruction `index` on.
    @inline(__always)
    func isViable(_ index: Int, _ progress: Progress) -> Bool {
        let state = width * (index - part.code.lowerBound) + progress.rawValue
        return states[state >> 6] >> UInt64(state & 63) & 1 != 0
    }

    /// Whether the whole part matches at the position.
    var isMatch: Bool { isViable(part.code.lowerBound, .made) }

    /// Goes to the next position. Returns `false` at the input's end.
    mutating func advance(_ truths: TruthTables) -> Bool {
        guard part.isBackward ? position < input.count : position > 0 else { return false }
        let (unit, width) = part.isBackward ? input.unit(at: position) : input.unit(before: position)
        position += part.isBackward ? width : -width
        for word in states.indices { states[word] = 0 }
        swap(&consuming, &consumingBefore)
        consuming.removeAll(keepingCapacity: true)
        for index in consumingBefore where consumes(program.program.code[index], unit) { add(index) }
        work += consumingBefore.count + states.count
        settle(truths)
        return true
    }

    private func consumes(_ instruction: Instruction, _ unit: UInt16) -> Bool {
        switch instruction {
        case .unit(let wanted, _): unit == wanted
        case .pair(let first, let second, _): unit == first || unit == second
        case .set(let set, _): program.program.sets.contains(unit, in: set)
        default: false
        }
    }

    /// Adds everything that leads without consuming to what is viable, the part's end among it.
    private mutating func settle(_ truths: TruthTables) {
        add(part.code.upperBound - 1)
        while let (index, progress) = pending.popLast() {
            work += 1
            if progress == .made { noteConsuming(before: index) }
            if program.hasLazyLoops { followLoops(before: index, progress) }
            for source in program.sources(of: index) {
                let source = Int(source)
                switch program.program.code[source] {
                case .assertion(let assertion):
                    if input.holds(assertion, at: position) { add(source, progress) }
                case .look(let look):
                    let isNegative = program.program.lookarounds[Int(look)].isNegative
                    if truths.holds(Int(look), at: position) != isNegative { add(source, progress) }
                case .checkProgress: if progress == .made { add(source, .made) }
                case let instruction where program.beginsIteration(instruction):
                    if progress == .required { add(source) }
                default: add(source, progress)
                }
            }
        }
    }

    /// Adds what a lazy loop leads to: from its end to what stands behind it or to another iteration, which has to consume
    /// something, and from its beginning to its body or, where that can be empty, to what stands behind it.
    private mutating func followLoops(before index: Int, _ progress: Progress) {
        guard index > part.code.lowerBound else { return }
        switch program.program.code[index - 1] {
        case .endIteration(let number):
            let loop = program.program.loops[Int(number)]
            if progress == .made { add(index - 1, .made) }
            // Whether the body can be empty is asked only where something stands behind it.
            add(index - 1, .none)
            if isViable(Int(loop.body), .none) { add(Int(loop.head), progress) }
        case .loop(let number) where progress == .required:
            add(index - 1)
            add(Int(program.program.loops[Int(number)].exit) - 1, .made)
        case .loop(let number) where progress == .none:
            let exit = Int(program.program.loops[Int(number)].exit)
            for outer in Progress.allCases where isViable(exit, outer) { add(index - 1, outer) }
        default: break
        }
    }

    private mutating func noteConsuming(before index: Int) {
        guard index > part.code.lowerBound else { return }
        switch program.program.code[index - 1] {
        case .unit, .pair, .set: consuming.append(index - 1)
        default: break
        }
    }

    /// Adds an instruction to which it makes no difference whether anything was consumed.
    private mutating func add(_ index: Int) {
        add(index, .made)
        if program.isInIteration(index) { add(index, .required) }
    }

    @inline(__always)
    private mutating func add(_ index: Int, _ progress: Progress) {
        let state = width * (index - part.code.lowerBound) + progress.rawValue
        let bit: UInt64 = 1 << UInt64(state & 63)
        guard states[state >> 6] & bit == 0 else { return }
        states[state >> 6] |= bit
        pending.append((index, progress))
    }
}
