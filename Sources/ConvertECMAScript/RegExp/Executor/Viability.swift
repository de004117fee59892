/// The states from which the rest of a part of a program matches. The states are computed for one position of the input
/// after the other, against the part's direction.
///
/// A state is an instruction together with the progress of the iteration around it: an iteration that has consumed
/// nothing may not end (RepeatMatcher, ECMA-262, 22.2.2.3.1). Only the innermost iteration matters, because the
/// iterations around it consume everything that it consumes. The first iteration of a lazy loop may be empty. A
/// separate state says whether the end of that iteration can be reached without consuming.
struct Viability<Input: RegExpInput> {
    /// The progress of the innermost iteration around an instruction.
    enum Progress: Int, CaseIterable {
        /// The iteration has consumed nothing, and must consume something.
        case required
        /// The iteration has consumed something, or there is no iteration.
        case made
        /// The iteration consumes nothing up to its end. Only reaching the end matters.
        case none
    }

    private let program: LinearProgram
    private let part: LinearProgram.Part
    private let input: Input
    private(set) var position: Int
    /// One bit for each state, ordered by instruction and then by progress.
    private(set) var states: [UInt64]
    /// The number of states for each instruction.
    let width: Int
    /// The number of states visited so far.
    private(set) var work = 0
    /// The consuming instructions that lead to viable instructions.
    private var consuming: [Int] = []
    private var consumingBefore: [Int] = []
    private var pending: [(index: Int, progress: Progress)] = []

    /// Begins at the end of `input` towards which the part reads.
    init(_ program: LinearProgram, _ part: LinearProgram.Part, _ input: Input, _ truths: TruthTables) {
        self.program = program
        self.part = part
        self.input = input
        position = part.isBackward ? 0 : input.count
        width = program.hasLazyLoops ? 3 : 2
        states = [UInt64](repeating: 0, count: (width * part.code.count + 63) / 64)
        settle(truths)
    }

    /// Continues at `position`, with the `states` that were computed there before.
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

    /// Advances to the next position. Returns `false` at the input's end.
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

    /// Adds all states that lead to a viable state without consuming, starting with the part's end.
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

    /// Adds the predecessors through a lazy loop. The end of an iteration leads to the code after the loop, or to
    /// another iteration, which must consume something. The loop's beginning leads to the body or, if the body can be
    /// empty, to the code after the loop.
    private mutating func followLoops(before index: Int, _ progress: Progress) {
        guard index > part.code.lowerBound else { return }
        switch program.program.code[index - 1] {
        case .endIteration(let number):
            let loop = program.program.loops[Int(number)]
            if progress == .made { add(index - 1, .made) }
            // Whether the body can be empty only matters if the code after the loop is viable.
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

    /// Adds an instruction for which the progress makes no difference.
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
