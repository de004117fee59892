/// The states of a part of a program from which the rest of that part matches, at one position of the input after the
/// other, against the part's direction.
///
/// A state is an instruction, and whether the iteration around it has consumed anything: one that has not may not end
/// (RepeatMatcher, ECMA-262, 22.2.2.3.1). One bit is enough for iterations inside each other, because whatever consumes
/// in the inner one consumes in the outer one.
struct Viability<Input: RegExpInput> {
    private let program: LinearProgram
    private let part: LinearProgram.Part
    private let input: Input
    private(set) var position: Int
    /// A bit for each state: two for each instruction, the second one for an iteration that has consumed something.
    private(set) var states: [UInt64]
    /// States visited so far.
    private(set) var work = 0
    /// The consuming instructions that lead to viable ones.
    private var consuming: [Int] = []
    private var consumingBefore: [Int] = []
    private var pending: [Int] = []

    /// Begins at the end of `input` that the part reads towards.
    init(_ program: LinearProgram, _ part: LinearProgram.Part, _ input: Input, _ truths: TruthTables) {
        self.program = program
        self.part = part
        self.input = input
        position = part.isBackward ? 0 : input.count
        states = [UInt64](repeating: 0, count: (2 * part.code.count + 63) / 64)
        settle(truths)
    }

    /// Stands at `position` with `states` that were found out there before.
    mutating func resume(at position: Int, with states: [UInt64]) {
        self.position = position
        self.states = states
        consuming.removeAll(keepingCapacity: true)
        for index in part.code.dropFirst() where isViable(index, hasConsumed: true) { noteConsuming(before: index) }
    }

    /// Whether the rest of the part matches from instruction `index` on.
    @inline(__always)
    func isViable(_ index: Int, hasConsumed: Bool) -> Bool {
        let state = 2 * (index - part.code.lowerBound) + (hasConsumed ? 1 : 0)
        return states[state >> 6] >> UInt64(state & 63) & 1 != 0
    }

    /// Whether the whole part matches at the position.
    var isMatch: Bool { isViable(part.code.lowerBound, hasConsumed: true) }

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
        while let state = pending.popLast() {
            work += 1
            let index = state >> 1
            let hasConsumed = state & 1 != 0
            if hasConsumed { noteConsuming(before: index) }
            for source in program.sources(of: index) {
                let source = Int(source)
                switch program.program.code[source] {
                case .assertion(let assertion):
                    if input.holds(assertion, at: position) { add(source, hasConsumed: hasConsumed) }
                case .look(let look):
                    let isNegative = program.program.lookarounds[Int(look)].isNegative
                    if truths.holds(Int(look), at: position) != isNegative { add(source, hasConsumed: hasConsumed) }
                case .checkProgress: if hasConsumed { add(source, hasConsumed: true) }
                case let instruction where program.beginsIteration(instruction): if !hasConsumed { add(source) }
                default: add(source, hasConsumed: hasConsumed)
                }
            }
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
        add(index, hasConsumed: true)
        if program.isInIteration(index) { add(index, hasConsumed: false) }
    }

    @inline(__always)
    private mutating func add(_ index: Int, hasConsumed: Bool) {
        let state = 2 * (index - part.code.lowerBound) + (hasConsumed ? 1 : 0)
        let bit: UInt64 = 1 << UInt64(state & 63)
        guard states[state >> 6] & bit == 0 else { return }
        states[state >> 6] |= bit
        pending.append(2 * index + (hasConsumed ? 1 : 0))
    }
}
